package pgn

import (
	"strconv"
	"strings"

	"chancery/domain/cards"
	"chancery/domain/game"
)

// A mark is one thing in the text of a game: a move, a null move, or a command of a
// comment.
type mark struct {
	command string // empty for a move, nullMove, or the name of a command
	text    string // the move in SAN, or what stands behind the name
	ply     int    // of a move and a null move: twice the number of moves before, and one for Black
	line    int    // of a mark that was read
}

// nullMove is a turn without a move on the board.
const nullMove = "--"

// String is the mark as it stands in the text.
func (m mark) String() string {
	switch {
	case m.command == "":
		return m.text
	case m.command == nullMove:
		return nullMove
	case m.text == "":
		return "[%" + m.command + "]"
	}
	return "[%" + m.command + " " + m.text + "]"
}

func (m mark) onBoard() bool { return m.command == "" || m.command == nullMove }

// say is the mark of a command; empty words are left out.
func say(command string, words ...string) []mark {
	var text []string
	for _, w := range words {
		if w != "" {
			text = append(text, w)
		}
	}
	return []mark{{command: command, text: strings.Join(text, " ")}}
}

// A teller turns events into marks. It remembers the little of a game that marks
// need, and knows no rules.
type teller struct {
	white  game.Seat // commands White
	fen    string
	series bool                // the last move left the turn with its army
	sans   map[game.Ref]string // of the moves so far, by their events
	clocks game.Clocks         // as they were told last
	deck   cards.Deck
	ref    game.Ref // of the next event
}

func newTeller() *teller { return &teller{white: game.First, sans: map[game.Ref]string{}} }

// marksOf tells a whole game.
func marksOf(history []game.Event) (list []mark) {
	t := newTeller()
	for _, e := range history {
		list = append(list, t.tell(e)...)
		list = append(list, t.clockMarks(e.Fact)...)
	}
	return list
}

// tell gives the marks of the next event, those of clocks left out. What follows from
// the tags or from other marks has none.
func (t *teller) tell(e game.Event) []mark {
	if e.N != t.ref.N {
		t.ref = game.Ref{N: e.N}
	}
	defer func() { t.ref.I++ }()
	switch f := e.Fact.(type) {
	case game.GameCreated:
		t.create(f)
	case game.ColorsDrawn:
		t.white = f.White
	case game.GameStarted:
		t.start(f)
	case game.PlayerJoined, game.LinkOpened, game.LinksStopped, game.ArrayDrawn, game.PileShuffled, game.HandDealt,
		game.CardRevealed, game.GameEnded, game.SeedRevealed, game.LogKeyAdded, game.SoftwareReleased:
	case game.MovePlayed:
		return t.moved(f.SAN, f.FEN)
	case game.PieceDropped:
		return t.dropped(f)
	case game.PawnPromoted:
		t.fen = f.FEN
		return say("promote", f.Square)
	case game.MoveUndone:
		t.fen = f.FEN
		return say("undo", t.sans[f.Ref])
	case game.ControlSwapped:
		t.white = f.White
		return say("swap")
	case game.TurnEnded:
		return t.turnEnded(f.FEN)
	case game.TurnSkipped:
		return ended(f.Reason)
	case game.SeriesEnded:
		return ended(f.Reason)
	case game.DiceRolled:
		return rolled(f)
	case game.CardDrawn:
		return drawn(f)
	case game.CardPlayed:
		return say("card", f.Card.Card.Code(), colorName(f.Color))
	case game.CardsDiscarded:
		return say("discard", codes(f.Cards))
	case game.HandsRevealed:
		return t.piles(f)
	case game.Passed, game.RescueDeclined:
		return say("pass")
	case game.UnoCalled:
		return say("uno", "call", t.army(f.Seat))
	case game.UnoCaught:
		return say("uno", "catch", t.army(f.Seat))
	case game.DrawOffered:
		return say("draw", "offer", t.army(f.Seat))
	case game.DrawDeclined:
		return say("draw", "decline", t.army(f.Seat))
	case game.DrawAccepted:
		return say("draw", "accept", t.army(f.Seat))
	case game.DrawClaimed:
		return say("draw", "claim", t.army(f.Seat))
	case game.Resigned:
		return say("resign", t.army(f.Seat))
	case game.FlagFell:
		return say("flag", t.army(f.Seat))
	case game.Forfeited:
		return say("forfeit", t.army(f.Seat))
	case game.CancelAsked:
		return say("cancel", t.army(f.Seat))
	case game.Cancelled:
		return say("cancel", t.army(f.Seat))
	case game.GamePaused:
		return reason("pause", f.Reason)
	case game.GameResumed:
		return reason("resume", f.Reason)
	case game.GameAborted:
		if f.Reason != game.ByCancel { // which the one who cancelled has said
			return reason("abort", string(f.Reason))
		}
	case game.GameVoided:
		return reason("void", string(f.Reason))
	}
	return nil
}

func (t *teller) create(f game.GameCreated) {
	if f.Color == game.PreferBlack {
		t.white = game.Second
	}
	if v, err := game.Lookup(f.Variant); err == nil && v.Deck != nil {
		t.deck = v.Deck(f.Options)
	}
}

func (t *teller) start(f game.GameStarted) {
	t.white, t.fen = f.White, f.FEN
	if f.Clock != nil {
		t.clocks = *f.Clock
	}
}

// army is the army that the seat commands now.
func (t *teller) army(s game.Seat) string {
	if s == t.white {
		return game.WhiteArmy.String()
	}
	return game.BlackArmy.String()
}

func (t *teller) moved(san, fen string) []mark {
	m := mark{text: san, ply: plyOf(t.fen)}
	t.sans[t.ref] = san
	t.series = plyOf(fen) == m.ply
	t.fen = fen
	return []mark{m}
}

// dropped is a move where the man comes from the reserve. Cards and dice put men on
// the board beside the moves.
func (t *teller) dropped(f game.PieceDropped) []mark {
	if f.From == "reserve" {
		return t.moved(f.SAN, f.FEN)
	}
	t.fen = f.FEN
	return say("place", f.Piece+"@"+f.Square)
}

// turnEnded gives a null move for every turn that went by without a move.
func (t *teller) turnEnded(fen string) (list []mark) {
	series := t.series
	t.series = false
	if fen == "" {
		return nil
	}
	ply := plyOf(t.fen)
	if series {
		ply++ // the turn that ends here had its moves
	}
	for ; ply < plyOf(fen); ply++ {
		list = append(list, mark{command: nullMove, ply: ply})
	}
	t.fen = fen
	return list
}

// plyOf is twice the full moves before the one that a FEN stands at, and one more
// with Black to move.
func plyOf(fen string) int {
	fields := strings.Fields(fen)
	if len(fields) < 2 {
		return 0
	}
	number, _ := strconv.Atoi(fields[len(fields)-1])
	if fields[1] == "b" {
		return 2*number - 1
	}
	return 2*number - 2
}

func rolled(f game.DiceRolled) []mark {
	faces := make([]string, len(f.Faces))
	for i, n := range f.Faces {
		faces[i] = strconv.Itoa(n)
	}
	if f.Purpose != "effect" {
		return say(f.Purpose, strings.Join(faces, ","))
	}
	impossible := ""
	if f.Impossible {
		impossible = "impossible"
	}
	return append(say("dice", strings.Join(faces, ",")), say("effect", string(f.Effect), impossible)...)
}

// drawn tells the draws that everybody sees.
func drawn(f game.CardDrawn) []mark {
	switch {
	case f.Card != nil && f.Seat == game.Spectator:
		return say("top", f.Card.Card.Code())
	case f.Card != nil:
		return say("card", f.Card.Card.Code())
	case f.Count == 0:
		return say("card", noCard)
	}
	return nil
}

const noCard = "none"

func colorName(c cards.Color) string {
	if c == cards.NoColor {
		return ""
	}
	return c.String()
}

func codes(list []cards.Dealt) string {
	words := make([]string, len(list))
	for i, c := range list {
		words[i] = c.Card.Code()
	}
	return strings.Join(words, ",")
}

// perPile is how many cards of a pile one command names, so that lines stay short.
const perPile = 15

// piles tells the order of every pile, which the hands follow from.
func (t *teller) piles(f game.HandsRevealed) (list []mark) {
	for i, ids := range f.Piles {
		dealt := make([]cards.Dealt, len(ids))
		for j, id := range ids {
			dealt[j] = t.deck.Dealt(id)
		}
		for len(dealt) > 0 {
			n := min(perPile, len(dealt))
			list = append(list, say("pile", strconv.Itoa(i), codes(dealt[:n]))...)
			dealt = dealt[n:]
		}
	}
	return list
}

// reason is a command with a word that is free.
func reason(command, why string) []mark { return say(command, escapeReason.Replace(why)) }

// ended says why a turn ended before its last move, where the fact does. The dice that
// skip a turn speak for themselves.
func ended(why string) []mark {
	if why == "" {
		return nil
	}
	return reason("end", why)
}

// Nothing in a reason may end its command, its comment or its line.
var (
	escapeReason   = strings.NewReplacer("%", "%25", "]", "%5D", "}", "%7D", " ", "%20", "\n", "%0A", "\r", "%0D", "\t", "%09")
	unescapeReason = strings.NewReplacer("%25", "%", "%5D", "]", "%7D", "}", "%20", " ", "%0A", "\n", "%0D", "\r", "%09", "\t")
)
