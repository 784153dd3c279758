package game

import (
	"strings"

	"chancery/domain/cards"
	"chancery/domain/chess"
)

// A View is all that one seat may know of a game. It is built up field by field,
// never stripped down from a State, so that a secret added later stays secret.
type View struct {
	Game      string     `json:"game"`
	Variant   string     `json:"variant"`
	Options   Options    `json:"options"`
	Rules     int        `json:"rules"`
	Rated     bool       `json:"rated"` // the result counts for ratings, see [State.Ranked]
	N         int        `json:"n"`     // number of the newest record
	As        string     `json:"as"`
	Phase     Phase      `json:"phase"`
	FEN       string     `json:"fen,omitempty"`
	Turn      string     `json:"turn,omitempty"` // army to move
	Act       []Seat     `json:"act"`            // the seats the game waits for
	Ply       int        `json:"ply"`
	Last      string     `json:"last,omitempty"` // the last move in UCI
	Check     bool       `json:"check"`
	Attacked  []string   `json:"attacked,omitempty"` // squares of attacked kings
	Seats     []SeatView `json:"seats"`
	Clock     *ClockView `json:"clock,omitempty"`
	DrawOffer *Seat      `json:"draw_offer,omitempty"`
	Cancel    *Seat      `json:"cancel_asked,omitempty"`
	Result    Result     `json:"result"`
	Reason    Reason     `json:"reason,omitempty"`
	Winner    *Seat      `json:"winner,omitempty"`
	Voided    bool       `json:"voided,omitempty"`
	Trust     string     `json:"trust"`
	Log       []string   `json:"log,omitempty"`   // the newest record in words, see [Line]
	Table     *TableView `json:"table,omitempty"` // of card games, once the cards are out
	Dice      *DiceView  `json:"dice,omitempty"`  // the last roll, of dice games

	// Of drop games: the men each army may still drop, as FEN letters.
	Reserves map[Army]string `json:"reserves,omitempty"`
	// Where captured men may come back: those of each army, in the order taken.
	Pools map[Army]string `json:"pools,omitempty"`

	// Only for the seat that must act:
	Legal   []string `json:"legal,omitempty"`   // moves in UCI
	Cards   []string `json:"cards,omitempty"`   // codes of the cards that may be played
	Discard int      `json:"discard,omitempty"` // number of cards that must be discarded
	Can     []string `json:"can,omitempty"`     // what else is open: pass, call, catch
	Link    bool     `json:"link,omitempty"`    // the next command must carry the seat's next link
	Claim   bool     `json:"claim,omitempty"`   // a draw may be claimed now
}

// A TableView is what the seat may know of the cards.
type TableView struct {
	Draw     int             `json:"draw"`              // cards left in the draw pile
	Discards [][]cards.Dealt `json:"discards"`          // one pile, or one a seat by wire number; top last
	Color    string          `json:"color,omitempty"`   // in force
	InPlay   *cards.Dealt    `json:"in_play,omitempty"` // whose effect is not over
	Hands    []int           `json:"hands,omitempty"`   // sizes by wire number
	Hand     []cards.Dealt   `json:"hand,omitempty"`    // the viewer's own
	Left     int             `json:"left,omitempty"`    // moves left in a series, the next one included
	Place    int             `json:"place,omitempty"`   // recovered pawns still to be placed
	Idle     int             `json:"idle"`              // turns in a row without a move on the board
	Uno      []Uno           `json:"uno,omitempty"`     // what each seat owes or has said, by wire number
	Undo     string          `json:"undo,omitempty"`    // FEN that a Reverse would bring back, where one could
	Revealed *HandsRevealed  `json:"revealed,omitempty"`
}

// A DiceView shows the last roll. Purpose and effect are as in [DiceRolled].
type DiceView struct {
	Purpose    string `json:"purpose"`
	Faces      []int  `json:"faces"`
	Effect     Effect `json:"effect,omitempty"`
	Impossible bool   `json:"impossible,omitempty"`
}

// A SeatView is what everybody may know of a seat.
type SeatView struct {
	Seat      Seat   `json:"seat"`
	Army      string `json:"army,omitempty"` // once colors are known
	Player    string `json:"player,omitempty"`
	Bot       string `json:"bot,omitempty"`
	Taken     bool   `json:"taken"`
	Delegated bool   `json:"delegated"` // the server keeps its chain of links
	Stopped   bool   `json:"stopped,omitempty"`
}

// A ClockView shows both clocks as of the newest record.
type ClockView struct {
	Spec    ClockSpec `json:"spec"`
	Left    Clocks    `json:"left_ms"`
	Since   Instant   `json:"since"` // milliseconds since 1970, when Running began to be charged
	Running *Seat     `json:"running,omitempty"`
}

// ViewFor builds what the seat may know of s. Secrets are asked for the seat's own
// hand only; without them (nil) a hand stays unknown.
func ViewFor(s State, seat Seat, secrets Secrets) View {
	v := View{
		Game: s.ID, Variant: s.Variant, Options: s.Options, Rules: s.Rules, Rated: s.Ranked(), N: s.N, As: asName(seat),
		Phase: s.Phase, FEN: s.FEN, Act: s.acting(), Ply: s.Plies, Last: s.Last, Seats: seatViews(s),
		Clock: clockView(s.Clock), DrawOffer: optional(s.Offer), Cancel: optional(s.Cancel),
		Result: s.Result, Reason: s.Reason, Winner: optional(s.Winner), Voided: s.Voided, Trust: trust(s),
		Log: s.lines(),
	}
	if s.started() {
		v.Turn = s.Turn().String()
	}
	if p, err := s.Position(); err == nil {
		v.addBoard(s, seat, &p)
	}
	if variant, err := s.variant(); err == nil && variant.Look != nil {
		variant.Look(&v, s, seat, secrets)
	}
	v.Link = seat != Spectator && (s.owes(seat) || s.ToAct() == seat && s.Fair.Owes(seat.Wire())) && !s.Fair.Seat[seat.Wire()].Delegated
	return v
}

func (v *View) addBoard(s State, seat Seat, p *chess.Position) {
	v.Check = p.InCheck()
	for b := p.AttackedKings(); b != 0; b &= b - 1 {
		v.Attacked = append(v.Attacked, b.First().String())
	}
	if seat == Spectator || s.ToAct() != seat {
		return
	}
	v.Legal = LegalMoves(s)
	variant, _ := s.variant()
	for _, c := range variant.Claims {
		v.Claim = v.Claim || s.Phase == PhaseMove && c.Ends(s, p)
	}
}

// LegalMoves lists, in UCI, the moves and drops open to the seat that must act; none where
// nobody must.
func LegalMoves(s State) []string {
	if s.ToAct() == Spectator {
		return nil
	}
	p, err := s.Position()
	if err != nil {
		return nil
	}
	if s.Phase != PhaseMove {
		return choices(s, &p)
	}
	moves := openMoves(s, &p)
	list := make([]string, len(moves))
	for i, m := range moves {
		list[i] = listed(m, p.Turn())
	}
	return list
}

// listed is the entry of a move in a list of legal ones. Unlike UCI it writes a drop
// of a black man in lower case.
func listed(m chess.Move, turn chess.Color) string {
	if m.IsDrop() {
		return placing{chess.NewPiece(turn, m.Drop()), m.To()}.String()
	}
	return m.UCI()
}

// ActionOf is the action that asks for an entry of a list of legal ones: a move, a
// drop, or a pawn to promote.
func ActionOf(legal string) Action {
	switch {
	case strings.Contains(legal, "@"):
		return Drop{UCI: legal}
	case len(legal) == len("e4"):
		return Promote{Square: legal}
	}
	return Move{UCI: legal}
}

func openMoves(s State, p *chess.Position) []chess.Move {
	if v, err := s.variant(); err == nil && v.Moves != nil {
		return v.Moves(s, p)
	}
	return p.Moves(nil)
}

func choices(s State, p *chess.Position) []string {
	if v := find(s.Variant); v != nil && v.Choices != nil {
		return v.Choices(s, p)
	}
	return nil
}

// acting lists the seats the game waits for; never nil, so that it reads as a list.
func (s State) acting() []Seat {
	list := s.Owing()
	if seat := s.ToAct(); seat != Spectator {
		list = append(list, seat)
	}
	if list == nil {
		list = []Seat{}
	}
	return list
}

func seatViews(s State) []SeatView {
	views := make([]SeatView, len(Players))
	for i, seat := range Players {
		who, chain := s.Seats[i], s.Fair.Seat[i]
		views[i] = SeatView{
			Seat: seat, Player: who.Player, Bot: who.Bot, Taken: seat == First || s.Joined,
			Delegated: chain.Delegated, Stopped: chain.Stopped,
		}
		if s.White != Spectator {
			views[i].Army = s.Army(seat).String()
		}
	}
	return views
}

func clockView(c Clock) *ClockView {
	if !c.Used {
		return nil
	}
	return &ClockView{Spec: c.Spec, Left: c.Left, Since: c.Since, Running: optional(c.Running)}
}

func optional(s Seat) *Seat {
	if s == Spectator {
		return nil
	}
	return &s
}

func asName(s Seat) string {
	if s == Spectator {
		return "spectator"
	}
	return [2]string{"0", "1"}[s.Wire()]
}

// trust says, without flattery, whose honesty is enough for a fair game.
func trust(s State) string {
	parties := 3
	for i, c := range s.Fair.Seat {
		if c.Delegated || c.Stopped || s.Seats[i].Bot != "" {
			parties--
		}
	}
	switch parties {
	case 3:
		return "If at least one of you, your opponent and our server followed the protocol, nobody could choose or predict how the cards and dice would be drawn up."
	case 2:
		return "One seat leaves its part of chance to the server: if the other seat or the server followed the protocol, nobody could choose or predict how the cards and dice would be drawn up."
	}
	return "Both seats leave their part of chance to the server: it alone must have followed the protocol. Its commitment still lets anybody check afterwards that it did not change its mind."
}
