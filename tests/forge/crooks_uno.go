package forge

import (
	"slices"

	"chancery/domain/cards"
	"chancery/domain/fair"
	"chancery/domain/game"
	"chancery/events/verify"
)

// blindEye tells the lie that only the revealed hands give away: a player of UNO Chess
// throws a card away although he holds one that he would have to play, and the server
// lets it pass. Everything else in the record is as it should be.
func (g Game) blindEye() (Lie, bool) {
	if g.Variant != "unochess" {
		return Lie{}, false
	}
	p := g.player(nil)
	for !p.game.State.Over() {
		if p.game.State.Phase == game.PhaseCard && p.game.N > 4 {
			if dead, hidden, ok := p.blind(); ok {
				return p.discardDead(dead, hidden)
			}
		}
		by, a := p.next()
		if err := p.do(by, a); err != nil {
			return Lie{}, false
		}
	}
	return Lie{}, false
}

// blind finds, in the hand of the seat to act, a dead card and the live ones.
func (p *player) blind() (dead cards.Dealt, live []int, ok bool) {
	v := game.ViewFor(p.game.State, p.game.State.ToAct(), p.chance)
	for _, c := range v.Table.Hand {
		if slices.Contains(v.Cards, c.Card.Code()) {
			live = append(live, int(c.ID))
		} else {
			dead, ok = c, true
		}
	}
	return dead, live, ok && len(live) > 0
}

// discardDead throws the dead card away with the live ones out of sight, and ends the
// game.
func (p *player) discardDead(dead cards.Dealt, live []int) (Lie, bool) {
	honest := p.chance.(*fair.Dealer)
	n := p.game.N + 1
	p.chance = blinded{Dealer: honest, live: live, dead: int(dead.ID)}
	if p.do(p.game.State.ToAct(), game.Discard{Cards: []string{dead.Card.Code()}}) != nil {
		return Lie{}, false
	}
	p.chance = honest
	if p.do(p.game.State.ToAct(), game.Resign{}) != nil {
		return Lie{}, false
	}
	return Lie{Name: "playable-card-kept", Payloads: p.Payloads, Level: verify.Legal, Record: n}, true
}

// A blinded server sees a dead card wherever a live one is; it commits the true hand.
type blinded struct {
	*fair.Dealer
	live []int
	dead int
}

func (d blinded) Order(at fair.State, s int) []int {
	order := d.Dealer.Order(at, s)
	for i, card := range order {
		if slices.Contains(d.live, card) {
			order[i] = d.dead
		}
	}
	return order
}

func (d blinded) Hand(at fair.State, seat int, _ []int) *fair.Hand {
	return d.Dealer.Hand(at, seat, held(d.Dealer, at, seat))
}
