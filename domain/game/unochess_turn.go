package game

import (
	"encoding/binary"
	"slices"

	"chancery/domain/cards"
	"chancery/domain/chess"
)

// actUno answers the turn actions of UNO Chess that are no moves.
func actUno(d *decision, a Action) error {
	switch a := a.(type) {
	case PlayCard:
		return playUno(d, a)
	case Discard:
		return discardUno(d, a)
	case Pass:
		return declineRescue(d)
	case CallUno:
		return callUno(d)
	case CatchUno:
		return catchUno(d)
	default:
		return Refuse(BadCommand, "%s knows no such action.", d.variant.Name)
	}
}

// playUno plays a card of the hand: in the own turn, or to rescue the king.
func playUno(d *decision, a PlayCard) error {
	phase := PhaseCard
	if d.state.Phase == PhaseRescue {
		phase = PhaseRescue
	}
	if err := d.myTurn(phase); err != nil {
		return err
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	by := d.command.By
	hand := d.hand(by)
	chosen, err := d.choose(hand, []string{a.Card})
	if err != nil {
		return err
	}
	card := chosen[0]
	if !slices.Contains(live(&d.state, &p, hand), card) {
		return refuseDead(d.state.Phase)
	}
	color, err := nameColor(card.Card, a.Color)
	if err != nil {
		return err
	}
	part, err := d.outOfHand(card)
	if err != nil {
		return err
	}
	d.emit(CardPlayed{Card: card, Color: color, Seat: by}, part)
	afterCard(d, &p, card.Card)
	d.advance()
	return nil
}

// afterCard is what follows a card at once. Others wait for a move or for discards.
func afterCard(d *decision, p *chess.Position, c cards.Card) {
	switch {
	case c.Kind == cards.Reverse:
		from, ref, _ := d.state.newestMove()
		d.emit(MoveUndone{FEN: from, Ref: ref}, nil)
		endIdleTurn(d, 1, "")
	case c.Kind == cards.Skip:
		p.Pass()
		p.Pass()
		d.emit(TurnSkipped{Seat: d.command.By.Other()}, nil)
		endIdleTurn(d, 1, p.FEN())
	case c.Kind == cards.Number && !movesMen(c):
		p.Pass()
		endIdleTurn(d, 1, p.FEN())
	}
}

// endIdleTurn ends a turn without a move: as many cards as have left the hand are
// drawn, and the count of idle turns goes up. A position given is the one that the
// next turn begins with.
func endIdleTurn(d *decision, draw int, fen string) {
	by := d.command.By
	drawUno(d, by, draw)
	if d.state.Over() {
		return
	}
	turn := d.state.Turn()
	if fen != "" {
		turn = turnOf(fen)
	}
	d.emit(TurnEnded{Clock: d.state.Clock.charged(d.command.At, by), FEN: fen, Idle: d.state.Idle + 1, Turn: turn}, nil)
	if d.state.Idle >= d.state.Options["idleTurns"].Int() {
		d.draw(IdleTurns)
	}
}

// drawUno gives the seat cards. An empty draw pile is made anew from all discards but
// the top one.
func drawUno(d *decision, seat Seat, n int) {
	d.drawToHand(seat, n, func() []cards.ID {
		pile := d.state.Cards.Discards[0]
		ids := make([]cards.ID, len(pile)-1)
		for i := range ids {
			ids[i] = pile[i].ID
		}
		return ids
	})
}

// discardUno throws cards away: the one of a turn in which none can be played, or
// those that a Draw Two or a Wild Draw Four demands.
func discardUno(d *decision, a Discard) error {
	phase := PhaseCard
	if d.state.Phase == PhaseDiscard {
		phase = PhaseDiscard
	}
	if err := d.myTurn(phase); err != nil {
		return err
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	chosen, err := chooseDiscards(d, &p, a.Cards)
	if err != nil {
		return err
	}
	part, err := d.outOfHand(chosen...)
	if err != nil {
		return err
	}
	played := d.state.Cards.InPlay.Card
	d.emit(CardsDiscarded{Cards: chosen, Seat: d.command.By}, part)
	if played.Kind == cards.WildDrawFour {
		endWildDrawFour(d, &p)
	} else {
		p.Pass()
		endIdleTurn(d, len(chosen)+min(demands(played), 1), p.FEN())
	}
	d.advance()
	return nil
}

// chooseDiscards finds the cards to be thrown away: as many as the card in play
// demands, or the one of a turn in which none can be played.
func chooseDiscards(d *decision, p *chess.Position, codes []string) ([]cards.Dealt, error) {
	hand, count := d.hand(d.command.By), demands(d.state.Cards.InPlay.Card)
	if d.state.Phase == PhaseCard {
		count = 1
		if len(live(&d.state, p, hand)) > 0 {
			return nil, Refuse(MustPlay, "You hold a card that can be played, so you must play one; \"cards\" of your view lists them.")
		}
	}
	if len(codes) != count {
		return nil, Refuse(WrongCount, "Discard %d of your cards, not %d.", count, len(codes))
	}
	return d.choose(hand, codes)
}

// endWildDrawFour ends a turn whose move was made before the discards: only now is
// the rescue of a captured king tested.
func endWildDrawFour(d *decision, p *chess.Position) {
	by := d.command.By
	drawUno(d, by, 5)
	if d.state.Over() {
		return
	}
	d.emit(TurnEnded{Clock: d.clocksNow(), Idle: d.state.Idle, Turn: d.state.Turn()}, nil)
	judgeUno(d, p, by)
}

// unoMoved ends the turn behind its move. A Wild Draw Four first wants its discards.
func unoMoved(d *decision, p *chess.Position, _ MovePlayed) {
	if d.state.Phase == PhaseDiscard {
		return
	}
	by := d.command.By
	drawUno(d, by, 1)
	if !d.state.Over() {
		judgeUno(d, p, by)
	}
}

// judgeUno ends the game if the move did. A captured king waits for its owner where he
// holds a Reverse that fits; he alone is asked, so that nobody learns of a Reverse
// which does not.
func judgeUno(d *decision, p *chess.Position, mover Seat) {
	if d.state.Phase == PhaseRescue && len(live(&d.state, p, d.hand(mover.Other()))) > 0 {
		return
	}
	d.judge(p, mover)
}

// declineRescue lets the captured king go.
func declineRescue(d *decision) error {
	if err := d.myTurn(PhaseRescue); err != nil {
		return err
	}
	by := d.command.By
	link, err := d.link(by)
	if err != nil {
		return err
	}
	d.emit(RescueDeclined{Seat: by}, link)
	d.winFor(by.Other(), KingCaptured)
	return nil
}

// callUno announces the own bare king: in time, or late but before the catch.
func callUno(d *decision) error {
	if err := d.seated(); err != nil {
		return err
	}
	by := d.command.By
	if own := d.state.Cards.Uno[by.Wire()]; own != OwesUno && own != ForgotUno {
		return Refuse(NotPending, "You owe no call: it is due once, when your king is the last of your men.")
	}
	d.emit(UnoCalled{Seat: by}, nil)
	return nil
}

// catchUno wins against a side that ended its turn with a bare king and has not
// called: until the catcher plays his next card or the call comes late.
func catchUno(d *decision) error {
	if err := d.seated(); err != nil {
		return err
	}
	by := d.command.By
	if d.state.Cards.Uno[by.Other().Wire()] != ForgotUno {
		return Refuse(NotPending, "There is nothing to catch: the other side has called, need not call, or may still call.")
	}
	d.emit(UnoCaught{Seat: by}, nil)
	d.winFor(by, UncalledUno)
	return nil
}

// choose finds cards of the hand by their codes, each at most once. What is not in
// the hand is refused in the same words wherever else it may be.
func (d *decision) choose(hand []cards.Dealt, codes []string) ([]cards.Dealt, error) {
	rest := slices.Clone(hand)
	chosen := make([]cards.Dealt, len(codes))
	for i, code := range codes {
		var equal []cards.Dealt
		for _, c := range rest {
			if c.Card.Code() == code {
				equal = append(equal, c)
			}
		}
		if len(equal) == 0 {
			return nil, Refuse(CardNotHeld, "You do not hold that card; \"hand\" of your view lists your cards.")
		}
		chosen[i] = d.oneOf(equal)
		j := slices.Index(rest, chosen[i])
		rest = slices.Delete(rest, j, j+1)
	}
	return chosen, nil
}

// oneOf takes one of equal cards in the acting seat's hand. Were it always the one of
// the lowest ID, any other would tell that those below it are not held. So the salts of
// all of them say which: those of the cards that stay in the hand nobody else knows
// before the game has ended.
func (d *decision) oneOf(equal []cards.Dealt) cards.Dealt {
	if len(equal) == 1 {
		return equal[0]
	}
	var sum uint64
	for _, c := range equal {
		salt := d.chance.Play(d.state.Fair, d.command.By.Wire(), int(c.ID)).Salt
		sum += binary.BigEndian.Uint64(salt[:])
	}
	return equal[sum%uint64(len(equal))]
}

func refuseDead(phase Phase) error {
	if phase == PhaseRescue {
		return Refuse(CardNotLive, "Only a Reverse that fits takes the capture of your king back; play one, or pass.")
	}
	return Refuse(CardNotLive, "That card does not fit, or what it does is impossible now; \"cards\" of your view lists those that can be played.")
}

// nameColor reads the color that a wild card, and no other, must name.
func nameColor(c cards.Card, name string) (cards.Color, error) {
	switch {
	case !c.IsWild() && name == "":
		return cards.NoColor, nil
	case !c.IsWild():
		return cards.NoColor, Refuse(BadCommand, "Only a wild card names a color; play this one without.")
	}
	color, err := cards.ParseColor(name)
	if err != nil {
		return cards.NoColor, &Refusal{Code: ColorNeeded, Detail: "A wild card names the color to follow: red, blue, green or yellow.", Cause: err}
	}
	return color, nil
}
