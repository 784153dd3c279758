package game

import "chancery/domain/chess"

// Where a dropped man comes from, as PieceDropped says it.
const (
	fromReserve = "reserve"
	fromPool    = "pool" // the captured men of its army
	fromDice    = "dice" // it was in no pool
)

// A placing is what a drop asks for: a man, and the square that it is to stand on.
type placing struct {
	piece chess.Piece
	to    chess.Square
}

// readPlacing reads a drop such as N@f3. An upper-case letter is a white man and a
// lower-case letter a black one, whoever asks; @e4 is a pawn of own.
func readPlacing(text string, own Army) (placing, error) {
	what := placing{piece: chess.NewPiece(own.Color(), chess.Pawn)}
	at := len(text) - len("@e4")
	ok := (at == 0 || at == 1) && text[at] == '@'
	if ok && at == 1 {
		what.piece, ok = chess.ParsePiece(text[0])
	}
	if ok {
		var err error
		what.to, err = chess.ParseSquare(text[at+1:])
		ok = err == nil
	}
	if !ok {
		return placing{}, Refuse(BadCommand, "%.20q is no drop; write a man and a square, like N@f3, a black man in lower case.", text)
	}
	return what, nil
}

// String is the drop as it is read, N@f3 or n@f3.
func (w placing) String() string { return w.piece.String() + "@" + w.to.String() }

// dropped says that the commanding seat has put the man on p, which shows it
// already.
func (d *decision) dropped(p *chess.Position, w placing, from string) PieceDropped {
	army := d.state.Army(d.command.By)
	return PieceDropped{
		Army: army, Check: p.IsAttacked(p.King(army.Color().Other()), army.Color()),
		Clock: d.state.Clock.charged(d.command.At, d.command.By),
		FEN:   p.FEN(), From: from, Piece: w.piece.String(), SAN: w.san(), Square: w.to.String(),
	}
}

// san is the drop in a game's notation, which names a man by an upper-case letter.
func (w placing) san() string {
	return string([]byte{w.piece.Role().Letter()}) + "@" + w.to.String()
}

// dropReserve puts a man of the seat's own reserve on the board, which is its turn.
// Like a move it is judged before the seat's link is looked at.
func (d *decision) dropReserve(a Drop) error {
	if err := d.myTurn(PhaseMove); err != nil {
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
	if w.piece.Color() != p.Turn() {
		return refuseMove(&chess.IllegalMoveError{UCI: a.UCI, Rule: chess.RuleNotYours})
	}
	m, err := p.ParseUCI(w.String())
	if err != nil {
		return refuseMove(err)
	}
	by := d.command.By
	link, err := d.link(by)
	if err != nil {
		return err
	}
	san := p.SAN(m)
	p.Play(m)
	fact := d.dropped(&p, w, fromReserve)
	fact.SAN = san
	d.emit(fact, link)
	d.judge(&p, by)
	d.advance()
	return nil
}
