package chess

import (
	"strings"
	"testing"
)

func TestSquareNames(t *testing.T) {
	for s := A1; s <= H8; s++ {
		if again, err := ParseSquare(s.String()); err != nil || again != s || SquareAt(s.File(), s.Rank()) != s {
			t.Errorf("%d is %s, read back as %d, %v", s, s, again, err)
		}
	}
	if A1.String() != "a1" || H1.String() != "h1" || A8.String() != "a8" || E4.String() != "e4" || NoSquare.String() != "-" {
		t.Error("a square has another's name")
	}
	for _, text := range []string{"", "-", "a", "a0", "a9", "i1", "A1", "a1 ", "é1"} {
		if s, err := ParseSquare(text); err == nil || s != NoSquare {
			t.Errorf("%q is read as %s", text, s)
		}
	}
}

func TestPieceNames(t *testing.T) {
	letters := ""
	for _, color := range []Color{White, Black} {
		for role := Pawn; role <= King; role++ {
			piece := NewPiece(color, role)
			letters += piece.String()
			if again, ok := ParsePiece(piece.Letter()); !ok || again != piece || piece.Color() != color || piece.Role() != role {
				t.Errorf("%s is read back as %s", piece, again)
			}
		}
	}
	if letters != "PNBRQKpnbrqk" {
		t.Errorf("the letters are %s", letters)
	}
	for _, letter := range []byte("?xX1 \x00\xff/") {
		if piece, ok := ParsePiece(letter); ok || piece != NoPiece {
			t.Errorf("%q is read as %s", letter, piece)
		}
	}
	if NewPiece(Black, NoRole) != NoPiece || NewPiece(Black, 7) != NoPiece || Role(9).Letter() != '?' {
		t.Error("no role makes a man")
	}
}

func TestColorNames(t *testing.T) {
	for _, color := range []Color{White, Black} {
		if again, err := ParseColor(color.String()); err != nil || again != color || color.Other() == color || color.Other().Other() != color {
			t.Errorf("%s is read back as %s, %v", color, again, err)
		}
	}
	if _, err := ParseColor("White"); err == nil {
		t.Error("White is read as white")
	}
}

func TestCastlingNames(t *testing.T) {
	for c := Castling(0); c <= allCastling; c++ {
		text := c.String()
		if again, ok := parseCastling(text); !ok || again != c {
			t.Errorf("%06b is written %s and read back as %06b", c, text, again)
		}
		if strings.Contains(text, "K") != c.Short(White) || strings.Contains(text, "q") != c.Long(Black) {
			t.Errorf("%06b is written %s", c, text)
		}
	}
}

func TestMoveParts(t *testing.T) {
	for _, c := range []struct {
		fen, uci string
		law      Law
		role     Role
		from     Square
		to       Square
		drop     Role
		kind     string
		captured Piece
	}{
		{startFEN, "e2e4", Orthodox, Pawn, E2, E4, NoRole, "double", NoPiece},
		{startFEN, "a2a3", Orthodox, Pawn, A2, A3, NoRole, "", NoPiece},
		{kiwipete, "e1c1", Orthodox, King, E1, C1, NoRole, "castling", NoPiece},
		{kiwipete, "e2a6", Orthodox, Bishop, E2, A6, NoRole, "", NewPiece(Black, Bishop)},
		{"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", Orthodox, Pawn, E5, D6, NoRole, "en passant", NewPiece(Black, Pawn)},
		{emptyFEN, "N@a1", dropLaw1, Knight, NoSquare, A1, Knight, "drop", NoPiece},
	} {
		p := parse(t, c.fen, c.law)
		m, err := p.ParseUCI(c.uci)
		if err != nil {
			t.Error(err)
			continue
		}
		if m.Role() != c.role || m.From() != c.from || m.To() != c.to || m.Drop() != c.drop || p.Captured(m) != c.captured {
			t.Errorf("%s: %s from %s to %s, drops %s, takes %s", m, m.Role(), m.From(), m.To(), m.Drop(), p.Captured(m))
		}
		for kind, is := range map[string]bool{
			"double": m.IsDoubleStep(), "castling": m.IsCastling(), "en passant": m.IsEnPassant(),
			"drop": m.IsDrop(), "queen power": m.IsQueenPower(),
		} {
			if is != (kind == c.kind) {
				t.Errorf("%s is %s: %v", m, kind, is)
			}
		}
	}
	if Move(0).UCI() != "0000" {
		t.Errorf("no move is written %s", Move(0))
	}
}

func TestPositionParts(t *testing.T) {
	p := parse(t, "4k2r/8/8/8/8/8/P7/4K3[QQp] b k - 3 17", Law{Castling: true, Drops: true})
	switch {
	case p.Turn() != Black, p.HalfMoves() != 3, p.FullMoves() != 17, !p.Castling().Short(Black), p.Law().KingCapture:
		t.Errorf("%s is misread", p.FEN())
	case p.King(White) != E1, p.King(Black) != E8, p.At(A2) != NewPiece(White, Pawn), p.At(A1) != NoPiece, p.At(NoSquare) != NoPiece:
		t.Errorf("%s: a man is elsewhere", p.FEN())
	case p.Army(White).Count() != 2, p.Occupied().Count() != 4, p.Pieces(Black, Rook) != H8.bit():
		t.Errorf("%s: men are missing", p.FEN())
	case p.Pocket(White, Queen) != 2, p.Pocket(Black, Pawn) != 1, p.Pocket(Black, Queen) != 0, p.Pocket(White, 7) != 0:
		t.Errorf("%s: the reserves are misread", p.FEN())
	}
	kingless := parse(t, emptyFEN, dropLaw1)
	if kingless.King(White) != NoSquare {
		t.Error("a king in reserve is on the board")
	}
}

// The messages say what is wrong and what to do, without the library's words.
func TestMessages(t *testing.T) {
	_, fenErr := ParseFEN("8/8 w - - 0 1")
	_, setupErr := ParsePosition("8/8/8/8/8/8/8/8 w - e6 0 1", Orthodox)
	p := parse(t, startFEN, Orthodox)
	_, moveErr := p.ParseUCI("e2e5")
	for err, want := range map[error]string{
		fenErr:   "board: there are 2 ranks instead of 8",
		setupErr: "a king is missing; no pawn can have passed over the en passant square",
		moveErr:  "e2e5 cannot be played: the man does not move like that",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}
	if Fault(0).String() == "" || Fault(200).String() == "" || Rule("new").String() != "new" {
		t.Error("an unknown fault or rule says nothing")
	}
}
