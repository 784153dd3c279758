package forge

import (
	"slices"

	"chancery/domain/fair"
	"chancery/events"
)

// decode reads a game's records anew, so that they may be changed.
func (g Game) decode() []events.Record {
	records := make([]events.Record, len(g.Payloads))
	for i, p := range g.Payloads {
		r, err := events.DecodeRecord(p)
		if err != nil {
			panic(err) // the game was written by this program
		}
		records[i] = r
	}
	return records
}

// rechain numbers the records and lets each name the hash of the one before it, as a
// server that rewrites history would. What players acknowledged follows along.
func rechain(records []events.Record) [][]byte {
	payloads := make([][]byte, len(records))
	var prev fair.Hash
	renamed := map[fair.Hash]fair.Hash{}
	for n, r := range records {
		old := r.Prev
		renamed[old] = prev
		r.N, r.Prev, r.Events = n, prev, slices.Clone(r.Events)
		for i := range r.Events {
			r.Events[i].N, r.Events[i].At = n, r.At
			if p := r.Events[i].Fair; p != nil && p.Ack != nil {
				if h, ok := renamed[p.Ack.H]; ok {
					p.Ack.H = h
				}
			}
		}
		payload, err := events.EncodeRecord(r)
		if err != nil {
			panic(err) // a lie is made of what can be written
		}
		payloads[n], prev = payload, fair.RecordHash(payload)
	}
	return payloads
}

// redeal makes all parts of chance anew, in the order in which the records now ask for
// them: every link is its chain's next, every roll and card what the seed derives. What
// the events say of them in their data stays as it was.
func (g Game) redeal(records []events.Record) {
	dealer := fair.NewDealer(g.Name, g.Seed)
	at := fair.State{Game: g.Name}
	for n := range records {
		for i := range records[n].Events {
			p := records[n].Events[i].Fair
			if p == nil {
				continue
			}
			if p.Link != nil {
				p.Link = g.nextLink(dealer, at.Evolve(&fair.Part{Anchor: p.Anchor}), p.Link.Seat)
			}
			before := at.Evolve(&fair.Part{Commit: p.Commit, Anchor: p.Anchor, Link: p.Link})
			deal(dealer, before, p)
			at = at.Evolve(p)
		}
	}
}

func (g Game) nextLink(dealer *fair.Dealer, at fair.State, seat int) *fair.Link {
	if g.Chains[seat] == nil {
		return dealer.Link(at, seat)
	}
	return g.Chains[seat].Link(at.Seat[seat].Opened + 1)
}

// deal makes the parts of one event that need the seed.
func deal(dealer *fair.Dealer, at fair.State, p *fair.Part) {
	if p.Shuffle != nil {
		p.Shuffle = dealer.Shuffle(at, p.Shuffle.In)
		at = at.Evolve(&fair.Part{Shuffle: p.Shuffle})
	}
	if p.Draw != nil {
		p.Draw = at.Draw(len(p.Draw.I), p.Draw.To)
		at = at.Evolve(&fair.Part{Draw: p.Draw})
	}
	for i := range p.Open {
		p.Open[i] = dealer.Open(at, p.Draw.S, p.Draw.I[i])
	}
	for i, play := range p.Play {
		p.Play[i] = dealer.Play(at, play.Seat, play.Card)
		at = at.Evolve(&fair.Part{Play: p.Play[i : i+1]})
	}
	if p.Hand != nil {
		p.Hand = dealer.Hand(at, p.Hand.Seat, held(dealer, at, p.Hand.Seat))
	}
	if p.Roll != nil {
		p.Roll = dealer.Roll(at, p.Roll.Sides...)
	}
}

// held is what the seat has drawn and not played.
func held(dealer *fair.Dealer, at fair.State, seat int) []int {
	var hand []int
	for _, p := range at.Drawn[seat] {
		hand = append(hand, dealer.Order(at, p.S)[p.I])
	}
	for _, card := range at.Played[seat] {
		if i := slices.Index(hand, card); i >= 0 {
			hand = slices.Delete(hand, i, i+1)
		}
	}
	return hand
}

// state is what the ledger says of chance before event i of record n.
func state(records []events.Record, n, i int) fair.State {
	s := fair.State{Game: records[0].Game}
	for m := range records[:n+1] {
		for j, e := range records[m].Events {
			if m == n && j == i {
				return s
			}
			s = s.Evolve(e.Fair)
		}
	}
	return s
}
