package main

import (
	"context"
	"fmt"

	"chancery/adapters/jetstream"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// How many of the newest records the doctor looks at, and how many of their games.
const (
	chainSample = 2000
	chainGames  = 50
)

// mostFaults is how many faults of chains are listed one by one.
const mostFaults = 20

// chainsFound checks that the records of games follow one another: of every game, or
// of those that were played last.
func chainsFound(ctx context.Context, env *Env, log events.Log, all bool) []jetstream.Finding {
	check := sampleChains
	if all {
		check = allChains
	}
	games, faults, err := check(ctx, env, log)
	if err != nil {
		faults = append(faults, err)
	}
	var list []jetstream.Finding
	for i, fault := range faults {
		if i == mostFaults {
			list = append(list, jetstream.Finding{Name: "chain", Health: unwell, Text: fmt.Sprintf("and %d more", len(faults)-i)})
			break
		}
		list = append(list, jetstream.Finding{Name: "chain", Health: unwell, Text: fault.Error()})
	}
	if list == nil {
		text := fmt.Sprintf("%d games: each record follows the one before it", games)
		if !all {
			text += "; --all checks every game"
		}
		list = append(list, jetstream.Finding{Name: "chain", Health: well, Text: text})
	}
	return list
}

// sampleChains loads the games of the newest records, whole.
func sampleChains(ctx context.Context, _ *Env, log events.Log) (games int, faults []error, err error) {
	last, err := log.Last(ctx)
	if err != nil {
		return 0, nil, err
	}
	seen := map[string]bool{}
	for s, err := range upToNow(ctx, log, last-min(last, chainSample)) {
		if err != nil {
			return gamesIn(seen), faults, err
		}
		if seen[s.Game] || len(seen) == chainGames {
			continue
		}
		seen[s.Game] = true
		if _, err := events.Load(ctx, log, s.Game); err != nil {
			faults = append(faults, err)
		}
	}
	return gamesIn(seen), faults, nil
}

// gamesIn counts the games among those by their ids, without the ledger's own.
func gamesIn[V any](all map[string]V) (n int) {
	for id := range all {
		if !game.LedgerWide(id) {
			n++
		}
	}
	return n
}

// link is where the chain of a game has come to.
type link struct {
	n      int
	head   fair.Hash
	broken bool
}

// allChains reads the whole ledger once. A game whose chain is broken is named once.
func allChains(ctx context.Context, env *Env, log events.Log) (games int, faults []error, err error) {
	progress := newProgress(env, "records", 0)
	defer progress.done()
	chains, next := map[string]link{}, events.Position(1)
	for s, err := range upToNow(ctx, log, 0) {
		if err != nil {
			return gamesIn(chains), faults, err
		}
		if s.Position != next {
			faults = append(faults, fmt.Errorf("positions %d to %d are missing; restore the ledger from a backup", next, s.Position-1))
		}
		next = s.Position + 1
		progress.at(uint64(s.Position))
		at, begun := chains[s.Game]
		if !begun {
			at.n = -1
		}
		after, fault := at.follow(s)
		if fault != nil && !at.broken {
			faults = append(faults, fault)
		}
		chains[s.Game] = after
	}
	return gamesIn(chains), faults, nil
}

// follow checks that a record is the next of the chain.
func (l link) follow(s events.Stored) (link, error) {
	r, err := events.DecodeRecord(s.Payload)
	switch {
	case err != nil:
	case r.Game != s.Game:
		err = fmt.Errorf("it is of game %s", r.Game)
	case r.N != l.n+1:
		err = fmt.Errorf("it has the number %d and not %d", r.N, l.n+1)
	case r.Prev != l.head:
		err = fmt.Errorf("it does not follow record %d", l.n)
	}
	if err != nil {
		return link{n: l.n, broken: true}, &events.BrokenError{Game: s.Game, N: l.n + 1, Position: s.Position, Cause: err}
	}
	return link{n: r.N, head: fair.RecordHash(s.Payload), broken: l.broken}, nil
}
