package chess

import (
	"errors"
	"testing"
)

func TestParseUCI(t *testing.T) {
	for _, c := range []struct {
		name, fen string
		law       Law
		text      string
		want      string
	}{
		{"a move", startFEN, Orthodox, "e2e4", "e2e4"},
		{"castling", kiwipete, Orthodox, "e1c1", "e1c1"},
		{"a promotion", "8/P7/7k/8/8/8/8/K7 w - - 0 1", Orthodox, "a7a8n", "a7a8n"},
		{"a promotion in upper case", "8/P7/7k/8/8/8/8/K7 w - - 0 1", Orthodox, "a7a8N", "a7a8n"},
		{"a promotion without its letter", "8/P7/7k/8/8/8/8/K7 w - - 0 1", Orthodox, "a7a8", "a7a8q"},
		{"a pawn takes the king", "k7/1P6/8/8/8/8/8/4K3 w - - 0 1", KingCapture, "b7a8", "b7a8"},
		{"and its letter is ignored", "k7/1P6/8/8/8/8/8/4K3 w - - 0 1", KingCapture, "b7a8n", "b7a8"},
		{"a drop", emptyFEN, dropLaw1, "N@f3", "N@f3"},
		{"a pawn's drop without a letter", emptyFEN, dropLaw1, "@e4", "P@e4"},
		{"a black man by its own letter", "8/8/8/8/8/8/8/8[n] b - - 0 1", dropLaw1, "n@f3", "N@f3"},
		{"a black man by the role's", "8/8/8/8/8/8/8/8[n] b - - 0 1", dropLaw1, "N@f3", "N@f3"},
	} {
		p := parse(t, c.fen, c.law)
		m, err := p.ParseUCI(c.text)
		if err != nil || m.UCI() != c.want {
			t.Errorf("%s: %s is %s, %v, want %s", c.name, c.text, m, err, c.want)
		}
	}
}

func TestParseUCINamesTheRule(t *testing.T) {
	const bareKings = "4k3/8/8/8/8/8/8/4K3"
	for _, c := range []struct {
		fen  string
		law  Law
		text string
		want Rule
	}{
		{startFEN, Orthodox, "e3e4", RuleEmpty},
		{startFEN, Orthodox, "e7e5", RuleNotYours},
		{startFEN, Orthodox, "a1a2", RuleOwnMan},
		{startFEN, Orthodox, "a1a3", RuleBlocked},
		{startFEN, Orthodox, "g1g3", RuleMovement},
		{startFEN, Orthodox, "e2e5", RuleMovement},
		{startFEN, Orthodox, "e2d3", RuleMovement},
		{startFEN, Orthodox, "e2e2", RuleOwnMan},
		{startFEN, Orthodox, "e2e4q", RulePromotion},
		{startFEN, Orthodox, "N@f3", RuleNoDrops},
		{"4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", Orthodox, "e2e3", RuleBlocked},
		{"4k3/8/8/8/8/4n3/4P3/4K3 w - - 0 1", Orthodox, "e2e4", RuleBlocked},
		{"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", Orthodox, "e2c3", RuleKingSafety},
		{"4r2k/8/8/8/8/8/4N3/4K3 w - - 0 1", Orthodox, "e1e2", RuleOwnMan},
		{"4r2k/8/8/8/8/8/8/3K4 w - - 0 1", Orthodox, "d1e1", RuleKingSafety},
		{"4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1", Orthodox, "e5d6", RuleKingSafety},
		{"7k/8/8/3pP3/8/8/8/4K3 w - - 0 1", Orthodox, "e5d6", RuleMovement},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", NoCastling, "e1g1", RuleNoCastling},
		{"4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", Orthodox, "e1g1", RuleCastlingRight},
		{"4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1", Orthodox, "e1g1", RuleOwnMan},
		{"4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", Orthodox, "e1c1", RuleBlocked},
		{"4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", Orthodox, "e1g1", RuleCastlingAttacked},
		{"4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", Orthodox, "e1g1q", RulePromotion},
		{"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", Orthodox, "e1h1", RuleOwnMan},
		{"8/P7/7k/8/8/8/8/K7 w - - 0 1", Orthodox, "a7a8k", RulePromotion},
		{"8/P7/7k/8/8/8/8/K7 w - - 0 1", Orthodox, "a7a8p", RulePromotion},
		{"8/8/8/8/8/8/8/4K3 b - - 0 1", KingCapture, "e8e7", RuleOver},
		{bareKings + " w - - 0 1", Law{Drops: true}, "N@f3", RuleReserve},
		{bareKings + "[N] w - - 0 1", dropLaw1, "N@e8", RuleOccupied},
		{bareKings + "[N] w - - 0 1", dropLaw1, "n@e4", RuleNotYours},
		{bareKings + "[P] w - - 0 1", dropLaw1, "P@a1", RulePawnRank},
		{bareKings + "[P] w - - 0 1", dropLaw1, "P@a5", RulePawnRank},
		{bareKings + "[R] w - - 0 1", dropLaw2, "R@e4", RuleDropAttacksKing},
		{bareKings + "[R] w - - 0 1", dropLaw3, "R@e4", RuleDropAttacksKing},
		{"4k3/8/8/3p4/8/8/8/4K3[R] w - - 0 1", dropLaw3, "R@d1", RuleDropAttacksMan},
		{"4r2k/8/8/8/8/8/8/4K3[R] w - - 0 1", dropLaw1, "R@a1", RuleKingSafety},
		{"4r2k/8/8/8/8/8/8/8[K] w - - 0 1", dropLaw1, "K@e1", RuleKingSafety},
		{"3qk3/8/8/8/8/8/8/3Q4[K] w - - 0 1", dropLaw1, "d1d8", RuleKinglessCapture},
		{"3qk3/8/8/8/8/8/4P3/3Q4[K] w - - 0 1", dropLaw1, "d1h5", RuleBlocked},
		{"4k3/8/8/8/8/8/8/4Q3[K] w - - 0 1", dropLaw1, "e1e8", RuleSacredKing},
	} {
		p := parse(t, c.fen, c.law)
		before := p
		_, err := p.ParseUCI(c.text)
		var illegal *IllegalMoveError
		if !errors.As(err, &illegal) || illegal.Rule != c.want || illegal.UCI != c.text {
			t.Errorf("%s, %s: %v, want %s", c.fen, c.text, err, c.want)
		}
		if p != before {
			t.Errorf("%s, %s: the refusal changed the position", c.fen, c.text)
		}
	}
}

func TestParseUCIRefusesWhatIsNoMove(t *testing.T) {
	p := parse(t, startFEN, Orthodox)
	for _, text := range []string{"", "e", "e2", "e2e", "e2e9", "i2e4", "e2e4qq", "e2e4x", "e2-e4", "0000", "X@e4", "N@e", "N@e9", "@", "@@e4", "O-O", " e2e4", "é2e4"} {
		if _, err := p.ParseUCI(text); !errors.Is(err, ErrSyntax) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Every rule has a sentence, so that no user reads a bare word.
func TestRulesHaveSentences(t *testing.T) {
	for rule, text := range ruleTexts {
		if rule.String() != text || text == "" || text == string(rule) {
			t.Errorf("%s: %q", string(rule), text)
		}
	}
}
