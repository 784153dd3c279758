package pgn

import (
	"errors"
	"fmt"
	"strings"

	"chancery/domain/chess"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// ErrRules says that a text tells something else than the rules of its game.
var ErrRules = errors.New("the rules of the game say otherwise")

// A replay plays a text again. Its moves, cards and choices are asked for as players
// would ask; its draws and dice are what chance gives. Whatever the rules then say must
// stand in the text too: so a text that was changed is found out at the first thing
// that does not follow.
type replay struct {
	text   *text
	at     int // the next mark
	chance *script
	teller *teller
	game   Game
	now    game.Instant

	own     bool // the text has tags that only we write
	started bool // both seats are taken
	asked   bool // the next mark is the one that asked
	freely  bool // nothing need stand in the text
}

func play(t *text) (Game, error) {
	p := &replay{text: t, teller: newTeller(), game: Game{Tags: t.tags}}
	if err := p.play(); err != nil {
		return Game{}, err
	}
	return p.game, nil
}

func (p *replay) play() error {
	if err := p.open(); err != nil {
		return inLine(p.text.first, err)
	}
	if err := p.seatBoth(); err != nil {
		return err
	}
	for p.at < len(p.text.marks) {
		if err := p.step(); err != nil {
			return err
		}
	}
	return p.close()
}

// step takes the next mark. Somebody asks for it, or it is a roll that had to wait for
// the players' links.
func (p *replay) step() error {
	m := p.text.marks[p.at]
	if p.game.State.Phase == game.PhaseLink && chanceGives[m.command] {
		return p.followAll(game.Continue(p.game.State, p.now, p.chance))
	}
	ask, ok := requests[m.command]
	if !ok {
		return p.fault(m, fmt.Errorf("%w: it does not follow", ErrRules))
	}
	by, action, err := ask(p, m.text)
	if err != nil {
		return p.fault(m, err)
	}
	return p.do(by, action)
}

// do lets the seat act and follows what comes of it.
func (p *replay) do(by game.Seat, a game.Action) error {
	p.chance.prepare(p, by, a)
	c := game.Command{By: by, At: p.now, Action: a}
	switch a := a.(type) {
	case game.CallFlag:
		c.At = p.outOfTime(a.Seat)
	case game.CallForfeit:
		p.owing(a.Seat)
	default:
	}
	list, err := game.Decide(p.game.State, c, p.chance)
	if err != nil {
		return p.faultHere(err)
	}
	p.asked = true
	return p.followAll(list)
}

// outOfTime is when the seat's flag falls: that it did is known, but not when. A seat that
// was waited for had its clock running.
func (p *replay) outOfTime(s game.Seat) game.Instant {
	clock := &p.game.State.Clock
	if p.game.State.Phase == game.PhaseLink {
		clock.Running, clock.Since = s, p.now
	}
	at, _ := clock.Deadline()
	return at
}

// owing makes the seat one that owes a link, where the game waits for links: a text does
// not say whose.
func (p *replay) owing(s game.Seat) {
	if p.game.State.Phase == game.PhaseLink {
		p.game.State.Fair.Seat[s.Wire()] = fair.SeatChain{Anchored: true}
	}
}

func (p *replay) followAll(list []game.Event) error {
	before := p.at
	for _, e := range list {
		if p.waits(e) || p.notYet(e.Fact) {
			p.chance.fault = nil // it is about what has not happened
			break
		}
		if err := p.follow(e); err != nil {
			return p.faultOf(err)
		}
	}
	if p.chance.fault != nil {
		return p.faultHere(p.chance.fault)
	}
	if p.at == before && p.started && !p.freely {
		return p.faultHere(fmt.Errorf("%w: nothing comes of it", ErrRules))
	}
	return nil
}

// faultOf is what is wrong where chance may have known it first.
func (p *replay) faultOf(err error) error {
	if p.chance.fault != nil {
		return p.faultHere(p.chance.fault)
	}
	return err
}

// waits says whether a roll had not happened yet when the next mark was made, because
// links were waited for. It has to be rolled again.
func (p *replay) waits(e game.Event) bool {
	if e.Fair == nil || e.Fair.Roll == nil {
		return false
	}
	if p.chance.isDry(e.Fair.Roll) {
		return true
	}
	switch e.Fact.(type) {
	case game.DiceRolled, game.CardDrawn:
	default:
		return false
	}
	if p.at < len(p.text.marks) && chanceGives[p.text.marks[p.at].command] {
		return false
	}
	p.chance.unroll(e.Fair.Roll)
	return true
}

// notYet says whether the text ends before the fact: colors come first in a game, and
// the tags say whether they are known.
func (p *replay) notYet(f game.Fact) bool {
	_, colors := f.(game.ColorsDrawn)
	return colors && p.own && !p.text.has(tagWhiteSeat)
}

// follow takes an event into the game. Its marks must be the next ones of the text.
func (p *replay) follow(e game.Event) error {
	for _, m := range p.teller.tell(e) {
		if err := p.match(m); err != nil {
			return err
		}
	}
	if err := p.checkTags(e.Fact); err != nil {
		return err
	}
	if err := p.readClocks(&e); err != nil {
		return err
	}
	p.game.State = game.Evolve(p.game.State, e)
	e.Fair = nil
	p.game.Events = append(p.game.Events, e)
	return nil
}

// match compares what the rules say with the next mark of the text. A move may be
// written in another way, for it has been found by what it says.
func (p *replay) match(m mark) error {
	if p.freely {
		return nil
	}
	if p.at == len(p.text.marks) {
		return p.faultHere(fmt.Errorf("%w: %s comes next", ErrRules, m))
	}
	has := p.text.marks[p.at]
	same := has.command == m.command && (has.text == m.text || p.asked && m.command == "")
	if !same {
		return p.fault(has, fmt.Errorf("%w: %s comes next", ErrRules, m))
	}
	p.at++
	p.asked = false
	return nil
}

// checkTags compares what a fact says with the tags that say it too.
func (p *replay) checkTags(f game.Fact) error {
	switch f := f.(type) {
	case game.ColorsDrawn:
		if seat := p.text.tag(tagWhiteSeat); seat != "" && seat != fmt.Sprint(f.White.Wire()+1) {
			return p.faultHere(fmt.Errorf("%w: WhiteSeat is %d", ErrRules, f.White.Wire()+1))
		}
	case game.GameStarted:
		if fen := p.text.tag(tagFEN); fen != "" && p.game.State.Start == "" && fen != f.FEN {
			return p.faultHere(fmt.Errorf("%w: FEN is %s", ErrRules, f.FEN))
		}
	default:
	}
	return nil
}

// close compares the result. One that nothing explains is a resignation, or agreed.
func (p *replay) close() error {
	err := p.explainResult()
	if s := &p.game.State; err == nil && p.text.result != string(result(*s)) {
		err = fmt.Errorf("%w: the result is %s", ErrRules, result(*s))
	}
	if err != nil {
		return &Error{Line: p.text.line, Word: p.text.result, Err: err}
	}
	return nil
}

func (p *replay) explainResult() error {
	s := &p.game.State
	if !s.Playing() || p.text.result == string(game.Ongoing) {
		return nil
	}
	if p.chance.hides() {
		return fmt.Errorf("%w: a game that has ended shows its piles", ErrRules)
	}
	p.freely = true
	switch loser := s.Commander(game.BlackArmy); {
	case p.text.tag(tagTermination) == string(game.Exhausted):
		s.Fair.Len = s.Fair.Rolls
		return p.followAll(game.Continue(*s, p.now, p.chance))
	case p.text.result == string(game.WhiteWins):
		return p.do(loser, game.Resign{})
	case p.text.result == string(game.BlackWins):
		return p.do(loser.Other(), game.Resign{})
	}
	if err := p.do(game.First, game.OfferDraw{}); err != nil {
		return err
	}
	return p.do(game.Second, game.AcceptDraw{})
}

// inLine is an error of a whole game, unless it knows better where.
func inLine(line int, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return err
	}
	return &Error{Line: line, Err: err}
}

// fault is an error at a mark, faultHere at the one that comes next.
func (p *replay) fault(m mark, err error) error {
	return &Error{Line: m.line, Word: m.String(), Err: err}
}

func (p *replay) faultHere(err error) error {
	switch {
	case p.game.State.Phase == "":
		return &Error{Line: p.text.first, Err: err}
	case p.at < len(p.text.marks):
		return p.fault(p.text.marks[p.at], err)
	}
	return &Error{Line: p.text.line, Err: err}
}

// findSAN is the move or drop that a text names in SAN, as an action. A move by queen's
// power is named in full.
func findSAN(s game.State, san string) (game.Action, error) {
	p, err := s.Position()
	if err != nil {
		return nil, err
	}
	m, err := p.ParseSAN(san)
	if err != nil {
		plain := strings.TrimRight(san, "+#!?")
		for _, further := range p.QueenMoves(nil) {
			if strings.TrimRight(p.SAN(further), "+#") == plain {
				return game.Move{UCI: further.UCI()}, nil
			}
		}
		return nil, err
	}
	if m.IsDrop() {
		return game.Drop{UCI: chess.NewPiece(p.Turn(), m.Drop()).String() + "@" + m.To().String()}, nil
	}
	return game.Move{UCI: m.UCI()}, nil
}
