package game

import (
	"slices"
	"strings"

	"chancery/domain/chess"
	"chancery/domain/fair"
)

// yugioh is chess in which dice give the colors, end every turn with one effect, and
// have a last word after mate.
var yugioh = Variant{
	Key: "yugioh", Name: "Yugioh Chess", Rules: 1,
	Summary: "Chess in which two dice end every turn: they win, promote, skip a turn, or bring a captured man back.",
	Start:   func(Options) string { return orthodoxStart },
	Law:     diceLaw,
	Options: []Option{
		{Name: "duet", Summary: "whether both players add to the luck of every roll", Default: BoolValue(false)},
	},
	Steps:       []Step{rollEffect, rollRescue, rollFirst, rollEights, startGame},
	Ends:        diceEnds,
	Claims:      kingSafeClaims,
	CountsTurns: true,
	Choices:     writtenChoices,
	Act:         chooseByDice,
	Moved:       func(*decision, *chess.Position, MovePlayed) {}, // judged after the roll, which may undo a mate
	Fold:        foldDice,
	Look:        lookAtDice,
}

// diceLaw is the ruling that a move must leave the own king safe before the dice are
// rolled, as in chess. That check is established only after the roll is about the
// opponent's king: nobody may take a king here, so a move into check would go free.
func diceLaw(Options) chess.Law { return chess.Orthodox }

// diceEnds are the ends of a king-safe game without the dead position: the dice can
// bring a queen to a bare king. That a fallen flag always loses follows likewise.
var diceEnds = slices.DeleteFunc(slices.Clone(kingSafeEnds), func(e End) bool { return e.Reason == DeadPosition })

// Why dice are rolled.
const (
	forFirst  = "first"
	forEight  = "eight"
	forEffect = "effect"
	forRescue = "rescue"
)

func always(State) bool { return true }

// rollFirst lets both seats roll a twenty-sided die, again on a tie. The higher one
// goes first, which is White, whatever army the creator asked for.
var rollFirst = Step{
	Name: "first", Chance: always,
	Due: func(s State) bool { return linked(s) && s.White == Spectator },
	Do: func(d *decision) {
		d.roll(func(out []int, part *fair.Part) {
			faces := fromOne(out)
			d.emit(DiceRolled{Faces: faces, Purpose: forFirst}, part)
			switch {
			case faces[0] > faces[1]:
				d.emit(ColorsDrawn{White: First}, nil)
			case faces[0] < faces[1]:
				d.emit(ColorsDrawn{White: Second}, nil)
			}
		}, 20, 20)
	},
}

// rollEights lets the second player roll two eight-sided dice five times. Without an
// eight on any of the ten the game is lost before its first move; what pairs add up
// to does not count.
var rollEights = Step{
	Name: "eight", Chance: always,
	Due: func(s State) bool {
		return linked(s) && s.White != Spectator && s.Dice != nil && s.Dice.Purpose == forFirst
	},
	Do: func(d *decision) {
		d.roll(func(out []int, part *fair.Part) {
			faces := fromOne(out)
			d.emit(DiceRolled{Faces: faces, Purpose: forEight}, part)
			if !slices.Contains(faces, 8) {
				startGame.Do(d)
				d.winFor(d.state.White, NoEight)
			}
		}, slices.Repeat([]int{8}, 10)...)
	},
}

// rollEffect ends a move with the mover's and the opponent's ten-sided die, whose
// faces count from 0.
var rollEffect = Step{
	Name: forEffect, Chance: always,
	Due: func(s State) bool { return s.Due == forEffect },
	Do: func(d *decision) {
		d.roll(func(out []int, part *fair.Part) {
			p, _ := d.state.Position()
			row := rowOf(out[0], out[1])
			impossible := row.impossible(&d.state, &p)
			d.emit(DiceRolled{Effect: row.effect, Faces: out, Impossible: impossible, Purpose: forEffect}, part)
			switch {
			case impossible || row.effect == NoEffect:
				d.finishTurn(&p)
			case row.effect == WinAtOnce:
				d.winFor(d.mover(), NineZero)
			case row.effect == SkipTurn:
				d.skipTurn(&p)
			}
		}, 10, 10)
	},
}

// rollRescue lets both players of a mate roll a twelve-sided die, the mater's first.
// One against twelve turns the result round.
var rollRescue = Step{
	Name: forRescue, Chance: always,
	Due: func(s State) bool { return s.Due == forRescue },
	Do: func(d *decision) {
		d.roll(func(out []int, part *fair.Part) {
			faces, mater := fromOne(out), d.mover()
			d.emit(DiceRolled{Faces: faces, Purpose: forRescue}, part)
			if faces[0] == 1 && faces[1] == 12 {
				d.winFor(mater.Other(), TwelveOne)
				return
			}
			d.winFor(mater, Checkmate)
		}, 12, 12)
	},
}

// fromOne is the faces of dice without a zero.
func fromOne(out []int) []int {
	faces := make([]int, len(out))
	for i, n := range out {
		faces[i] = n + 1
	}
	return faces
}

// mover is the seat that has just moved: the position is the other's to move in.
func (d *decision) mover() Seat { return d.state.Commander(d.state.Turn()).Other() }

// skipTurn takes the opponent's next turn away. A player in check whose turn is
// skipped has lost, without a twelve-sided die even where the check is mate.
func (d *decision) skipTurn(p *chess.Position) {
	mover := d.mover()
	d.emit(TurnSkipped{Seat: mover.Other()}, nil)
	if p.InCheck() {
		d.winFor(mover, SkippedCheck)
		return
	}
	p.Pass()
	d.finishTurn(p)
}

// finishTurn hands the turn on and judges the position: mate and stalemate are what
// they are once the dice have had their effect.
func (d *decision) finishTurn(p *chess.Position) {
	end := TurnEnded{Clock: d.clocksNow(), Mate: p.InCheck() && !p.HasMove(), Turn: Army(p.Turn())}
	if fen := p.FEN(); fen != d.state.FEN {
		end.FEN = fen
	}
	d.emit(end, nil)
	if !end.Mate {
		d.judge(p, d.mover())
	}
}

// writtenChoices lists what the dice let the mover choose among.
func writtenChoices(s State, p *chess.Position) []string {
	var list []string
	for _, c := range diceChoices(&s, p) {
		list = append(list, c.written())
	}
	return list
}

func diceChoices(s *State, p *chess.Position) []choice {
	if row := rowFor(s.Effect); s.Phase == PhaseChoose && row.choices != nil {
		return row.choices(s, p)
	}
	return nil
}

// chooseByDice carries the effect of the dice out as the mover wants it. To choose is a
// duty even where there is only one way, and may not be declined.
func chooseByDice(d *decision, a Action) error {
	switch a.(type) {
	case Drop, Promote:
	default:
		return Refuse(BadCommand, "%s knows no such action.", d.variant.Name)
	}
	if err := d.myTurn(PhaseChoose); err != nil {
		return err
	}
	p, err := behindMove(&d.state)
	if err != nil {
		return err
	}
	a = spelledOut(a, d.state.Army(d.command.By))
	open := diceChoices(&d.state, &p)
	i := slices.IndexFunc(open, func(c choice) bool { return c.action() == a })
	if i < 0 {
		return Refuse(IllegalMove, "The dice leave you these choices: %s.", strings.Join(writtenChoices(d.state, &p), ", "))
	}
	link, err := d.link(d.command.By)
	if err != nil {
		return err
	}
	d.emit(d.carryOut(&p, open[i]), link)
	d.finishTurn(&p)
	d.advance()
	return nil
}

// spelledOut is the choice with its man named: a drop may leave out the letter of an
// own pawn.
func spelledOut(a Action, own Army) Action {
	if drop, ok := a.(Drop); ok {
		if w, err := readPlacing(drop.UCI, own); err == nil {
			return Drop{UCI: w.String()}
		}
	}
	return a
}

// carryOut changes the board, which begins the count of moves without a capture or a
// pawn move anew. The time that the choice takes is charged when the turn ends; the
// increment came with the move.
func (d *decision) carryOut(p *chess.Position, c choice) Fact {
	p.Put(c.to, c.piece)
	p.ResetHalfMoves()
	if c.from == "" {
		return PawnPromoted{FEN: p.FEN(), Square: c.to.String()}
	}
	fact := d.dropped(p, c.placing, c.from)
	fact.Clock = nil
	return fact
}

// behindMove is the position in which the mover chooses. The en passant field of a
// FEN names only what can be taken, but a man put on the board may block the line
// that forbade it: so the double step is read from the move itself.
func behindMove(s *State) (chess.Position, error) {
	setup, err := chess.ParseFEN(s.FEN)
	if err != nil {
		return chess.Position{}, err
	}
	from, to, ok := squaresOf(s.Last)
	if ok && setup.Board[to].Role() == chess.Pawn && (to-from == 16 || from-to == 16) {
		setup.EnPassant = (from + to) / 2
	}
	return setup.Position(diceLaw(s.Options))
}

// foldDice keeps the pools, and what the game waits for between a move and the end
// of its turn. A position counts for repetition once its turn has ended.
func foldDice(s *State, e *Event) {
	switch f := e.Fact.(type) {
	case MovePlayed:
		if f.Captured != "" {
			s.toPool(f.Captured)
		}
		s.Phase, s.Due = PhaseLink, forEffect
	case DiceRolled:
		s.rolled(&f)
	case PieceDropped:
		if f.From == fromPool {
			s.outOfPool(f.Piece)
		}
	case PawnPromoted:
		s.acted(s.Commander(s.Turn()).Other())
	case TurnEnded:
		s.Phase, s.Due = PhaseMove, ""
		if f.Mate {
			s.Phase, s.Due = PhaseLink, forRescue
		}
		s.standTurn()
	default: // changes none of them
	}
}

func (s *State) rolled(f *DiceRolled) {
	s.Due = ""
	if f.Purpose != forEffect {
		return
	}
	s.Effect = f.Effect
	if !f.Impossible && rowFor(f.Effect).choices != nil {
		s.Phase = PhaseChoose
	}
}

// lookAtDice shows the pools and the last roll, which everybody sees.
func lookAtDice(v *View, s State, _ Seat, _ Secrets) {
	v.Pools = map[Army]string{WhiteArmy: s.Pools[WhiteArmy], BlackArmy: s.Pools[BlackArmy]}
	if r := s.Dice; r != nil {
		v.Dice = &DiceView{Purpose: r.Purpose, Faces: slices.Clone(r.Faces), Effect: r.Effect, Impossible: r.Impossible}
	}
}
