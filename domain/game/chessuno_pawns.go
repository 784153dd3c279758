package game

import (
	"slices"
	"strings"

	"chancery/domain/chess"
)

// pawnsToPlace is how many pawns the turn's card brings back: as many as it names, as
// many as were taken as pawns, and as many as find room. All of them must be placed.
// Pools belong to the army, whoever commands it.
func pawnsToPlace(s State, p *chess.Position) int {
	return min(pawnsOf[s.Cards.InPlay.Card.Kind], strings.Count(s.Pools[p.Turn()], pawnOf(p).String()), pawnRoom(s, p))
}

func pawnOf(p *chess.Position) chess.Piece { return chess.NewPiece(p.Turn(), chess.Pawn) }

// pawnRanks are the ranks that take recovered pawns, the next one only once the one
// before is full: the pawns' own, and by an option the one in front of it.
func pawnRanks(s State, c chess.Color) []int {
	first, next := 1, 2
	if c == chess.Black {
		first, next = 6, 5
	}
	if s.Options["pawnRecoveryOverflow"].Bool() {
		return []int{first, next}
	}
	return []int{first}
}

// freeSquares are the empty squares of a rank, counted from 0.
func freeSquares(p *chess.Position, rank int) (free []chess.Square) {
	for file := range 8 {
		if s := chess.SquareAt(file, rank); p.At(s) == chess.NoPiece {
			free = append(free, s)
		}
	}
	return free
}

func pawnRoom(s State, p *chess.Position) (n int) {
	for _, rank := range pawnRanks(s, p.Turn()) {
		n += len(freeSquares(p, rank))
	}
	return n
}

// pawnPlaces lists where the next recovered pawn may be placed, as drops.
func pawnPlaces(s State, p *chess.Position) []string {
	var drops []string
	for _, square := range pawnSquares(s, p) {
		drops = append(drops, placing{pawnOf(p), square}.String())
	}
	return drops
}

func pawnSquares(s State, p *chess.Position) []chess.Square {
	if s.Phase != PhasePlace {
		return nil
	}
	for _, rank := range pawnRanks(s, p.Turn()) {
		if free := freeSquares(p, rank); len(free) > 0 {
			return free
		}
	}
	return nil
}

// placePawn puts a recovered pawn on the board. That is no move: it neither counts
// against idleness nor ends the right to take en passant.
func (d *decision) placePawn(a Drop) error {
	if err := d.myTurn(PhasePlace); err != nil {
		return err
	}
	p, err := d.state.Position()
	if err != nil {
		return err
	}
	w, err := readPlacing(a.UCI, Army(p.Turn()))
	if err != nil {
		return err
	}
	if w.piece != pawnOf(&p) || !slices.Contains(pawnSquares(d.state, &p), w.to) {
		return Refuse(IllegalMove, "%s cannot be placed: pawns come back on empty squares of their first rank, and on the next rank only once that is full.", w)
	}
	link, err := d.link(d.command.By)
	if err != nil {
		return err
	}
	p.Put(w.to, w.piece)
	fact := d.dropped(&p, w, fromPool)
	fact.Check = attacksKing(&p)
	d.emit(fact, link)
	if d.state.Series.Place == 0 {
		d.goOn(&p)
	}
	d.advance()
	return nil
}

// attacksKing says whether the side to move attacks the enemy king.
func attacksKing(p *chess.Position) bool {
	return p.IsAttacked(p.King(p.Turn().Other()), p.Turn())
}
