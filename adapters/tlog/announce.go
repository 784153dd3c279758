package tlog

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events"
)

// KeysGame is the game in which the ledger announces its keys. Ids that begin with an
// underscore are the server's own.
const KeysGame = "_keys"

// A Key signs checkpoints.
type Key interface {
	note.Signer
	Public() string
}

// announce writes into the log that there is a further key, signed by the one before it,
// before anything is signed with it: who trusts the first key can follow to the newest.
// The first key is announced nowhere; people get it by hand.
func (l *Ledger) announce(ctx context.Context) error {
	all := l.AllKeys()
	if len(all) < 2 || l.isAnnounced(all[0]) {
		return nil
	}
	for ctx.Err() == nil {
		g, known, err := Announced(ctx, l.Log)
		if err != nil {
			return fmt.Errorf("announcing a key of the ledger: %w", err)
		}
		at := firstUnknown(all, known)
		if at < 0 {
			l.mu.Lock()
			l.announced = all[0].Public()
			l.mu.Unlock()
			return nil
		}
		err = l.append(ctx, g, all[at], all[at+1])
		if err != nil && !errors.Is(err, events.ErrConflict) {
			return fmt.Errorf("announcing the key %s: %w", all[at].Public(), err)
		}
	}
	return ctx.Err()
}

func (l *Ledger) isAnnounced(k Key) bool {
	l.mu.RLock()
	defer l.mu.RUnlock()
	return l.announced == k.Public()
}

// firstUnknown is the oldest key but the first that is not announced, or -1; the newest
// stands first.
func firstUnknown(all []Key, known []string) int {
	for i := len(all) - 2; i >= 0; i-- {
		if !slices.Contains(known, all[i].Public()) {
			return i
		}
	}
	return -1
}

// Announced reads the keys that the log announces, the oldest first.
func Announced(ctx context.Context, log events.Log) (g events.Game, keys []string, err error) {
	g = events.NewGame(KeysGame)
	for step, err := range events.Steps(ctx, log, g) {
		if err != nil {
			return g, keys, err
		}
		g = step.Game
		for _, e := range step.Record.Events {
			if f, ok := e.Fact.(game.LogKeyAdded); ok {
				keys = append(keys, f.Key)
			}
		}
	}
	return g, keys, nil
}

// append writes the record that announces a key.
func (l *Ledger) append(ctx context.Context, g events.Game, key, old Key) error {
	sig, err := old.Sign(announcement(key.Public()))
	if err != nil {
		return err
	}
	fact := game.LogKeyAdded{
		Key: key.Public(),
		Sig: base64.StdEncoding.EncodeToString(append(binary.BigEndian.AppendUint32(nil, old.KeyHash()), sig...)),
	}
	return say(ctx, l.Log, g, l.Now(), "key/"+key.Public(), fact)
}

// say writes the next record of one of the ledger's own games, with the facts of one
// kind. The key is that of the command that it would be.
func say[F game.Fact](ctx context.Context, log events.Log, g events.Game, now time.Time, key string, facts ...F) error {
	r := events.Record{
		At: max(game.Instant(now.UnixMilli()), g.State.At), Cause: fair.Cause(g.State.ID, key), Game: g.State.ID, N: g.N + 1, Prev: g.Head,
	}
	entry := events.Entry{Game: r.Game, Cause: r.Cause.String()}
	for _, f := range facts {
		r.Events = append(r.Events, game.Event{N: r.N, At: r.At, Fact: f})
		name, _ := events.TypeOf(f)
		entry.Types = append(entry.Types, name)
	}
	var err error
	if entry.Payload, err = events.EncodeRecord(r); err != nil {
		return err
	}
	_, err = log.Append(ctx, g.Revision, entry)
	return err
}

// announcement is what the old key signs.
func announcement(key string) []byte { return []byte("chancery ledger key\n" + key + "\n") }

// CheckAnnouncement says whether old, a public key that is trusted, has announced the
// key. The error says why not.
func CheckAnnouncement(f game.LogKeyAdded, old string) error {
	v, err := LogVerifier(old)
	if err != nil {
		return err
	}
	b, err := base64.StdEncoding.DecodeString(f.Sig)
	if err != nil || len(b) < 4 || binary.BigEndian.Uint32(b) != v.KeyHash() || !v.Verify(announcement(f.Key), b[4:]) {
		return fmt.Errorf("the key %s is not announced by %s", f.Key, v.Name())
	}
	if !strings.HasPrefix(f.Key, v.Name()+"+") {
		return fmt.Errorf("the key %s is of another ledger than %s", f.Key, v.Name())
	}
	return nil
}
