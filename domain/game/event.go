package game

import (
	"chancery/domain/fair"
	who "chancery/domain/player"
)

// An Instant is a moment in milliseconds since 1970-01-01 UTC. The domain never
// asks for the time: it arrives in commands and stays in events.
type Instant int64

// An Event is a fact about the game, with the chance or proof that came with it.
// Events are stored for ever.
type Event struct {
	N    int     // number of its record within the game, from 0
	At   Instant // when its record was made
	Fact Fact
	Fair *fair.Part // nil where no chance and no proof is involved
}

// A Fact is what an event says about the game. Its fields stand in the order of
// their names on disk, which makes the encoding canonical.
//
//sumtype:decl
type Fact interface {
	fact()
	// line tells the fact in words, see [Line].
	line(scene) string
}

// What happens around the board.
type (
	// GameCreated opens a table: everything that is agreed before play.
	GameCreated struct {
		Clock   *ClockSpec `json:"clock,omitempty"`
		Color   ColorPref  `json:"color"`
		Options Options    `json:"options"`
		Rated   bool       `json:"rated"`
		Rules   RulesUsed  `json:"rules"`
		Seats   []Sitter   `json:"seats"`
		Start   string     `json:"start,omitempty"` // FEN of an agreed start position
		Variant string     `json:"variant"`
	}
	// PlayerJoined seats the second player.
	PlayerJoined struct {
		Bot    string `json:"bot,omitempty"`
		Player string `json:"player,omitempty"`
		Seat   Seat   `json:"seat"`
	}
	// LinkOpened releases the next link of a seat's chain, by itself.
	LinkOpened struct {
		Seat Seat `json:"seat"`
	}
	// LinksStopped says that a seat has lost its chain; its last link stays in the mix.
	LinksStopped struct {
		Seat Seat `json:"seat"`
	}
	// ColorsDrawn says which seat plays White; Roll is there when chance decided.
	ColorsDrawn struct {
		Roll  *int `json:"roll,omitempty"`
		White Seat `json:"white"`
	}
	// ArrayDrawn is the start array that the lot gave.
	ArrayDrawn struct {
		Array string `json:"array"` // White's back rank, a to h
		FEN   string `json:"fen"`
		Index int    `json:"index"` // among all arrays, sorted as strings
	}
	// GameStarted begins play; from here on clocks run.
	GameStarted struct {
		Clock *Clocks `json:"clock_ms,omitempty"`
		FEN   string  `json:"fen"`
		White Seat    `json:"white"`
	}
	// GamePaused stops the clocks.
	GamePaused struct {
		Clock  *Clocks `json:"clock_ms,omitempty"`
		Reason string  `json:"reason"`
	}
	// GameResumed lets the clocks go on from the values it carries.
	GameResumed struct {
		Clock  *Clocks `json:"clock_ms,omitempty"`
		Reason string  `json:"reason"`
	}
	// GameEnded is the result. Result names the armies, Winner the seat; a drawn
	// game has no Winner.
	GameEnded struct {
		Reason Reason `json:"reason"`
		Result Result `json:"result"`
		Winner Seat   `json:"winner,omitzero"`
	}
	// GameAborted ends a game without a result.
	GameAborted struct {
		Reason Reason `json:"reason"`
	}
	// GameVoided takes a game out of every count.
	GameVoided struct {
		Reason Reason `json:"reason"`
	}
	// SeedRevealed carries the seed, in the record that ends the game.
	SeedRevealed struct{}
)

// What happens on the board.
type (
	// MovePlayed is one move and the position it led to.
	MovePlayed struct {
		Army     Army    `json:"army"`
		Captured string  `json:"captured,omitempty"` // FEN letter of the piece taken
		Check    bool    `json:"check,omitempty"`
		Clock    *Clocks `json:"clock_ms,omitempty"`
		FEN      string  `json:"fen"`
		SAN      string  `json:"san"`
		UCI      string  `json:"uci"`
	}
)

// What players say to each other and to the clock.
type (
	// DrawOffered lasts until the other seat answers or acts.
	DrawOffered struct {
		Seat Seat `json:"seat"`
	}
	// DrawDeclined turns an offer down.
	DrawDeclined struct {
		Seat Seat `json:"seat"`
	}
	// DrawAccepted agrees to a draw.
	DrawAccepted struct {
		Seat Seat `json:"seat"`
	}
	// DrawClaimed asks for the draw that a rule grants.
	DrawClaimed struct {
		Seat Seat `json:"seat"`
	}
	// Resigned gives the game up.
	Resigned struct {
		Seat Seat `json:"seat"`
	}
	// FlagFell says that a seat's time ran out.
	FlagFell struct {
		Seat Seat `json:"seat"`
	}
	// Forfeited says that a seat did not do in time what it owed.
	Forfeited struct {
		Seat Seat `json:"seat"`
	}
	// CancelAsked proposes to call the game off.
	CancelAsked struct {
		Seat Seat `json:"seat"`
	}
	// Cancelled calls the game off.
	Cancelled struct {
		Seat Seat `json:"seat"`
	}
)

func (GameCreated) fact()  {}
func (PlayerJoined) fact() {}
func (LinkOpened) fact()   {}
func (LinksStopped) fact() {}
func (ColorsDrawn) fact()  {}
func (ArrayDrawn) fact()   {}
func (GameStarted) fact()  {}
func (GamePaused) fact()   {}
func (GameResumed) fact()  {}
func (GameEnded) fact()    {}
func (GameAborted) fact()  {}
func (GameVoided) fact()   {}
func (SeedRevealed) fact() {}
func (MovePlayed) fact()   {}
func (DrawOffered) fact()  {}
func (DrawDeclined) fact() {}
func (DrawAccepted) fact() {}
func (DrawClaimed) fact()  {}
func (Resigned) fact()     {}
func (FlagFell) fact()     {}
func (Forfeited) fact()    {}
func (CancelAsked) fact()  {}
func (Cancelled) fact()    {}

// A Sitter is who sits in a seat: an opaque player ID, or a program. Delegated
// says that the server keeps the seat's chain of links.
type Sitter struct {
	Bot       string `json:"bot,omitempty"`
	Delegated bool   `json:"delegated,omitempty"`
	Player    string `json:"player,omitempty"`
}

// Account says whether a person with an account sits there.
func (s Sitter) Account() bool { return s.Bot == "" && who.IsAccount(s.Player) }

// RulesUsed pins what a game is played by: the version of its variant's rules,
// under which it also ends, and its cards.
type RulesUsed struct {
	Deck    string `json:"deck,omitempty"` // cards.Deck.Hash of the deck
	Version int    `json:"version"`
}

// A ColorPref is the army the creator asked for.
type ColorPref string

// The armies a creator may ask for.
const (
	PreferWhite  ColorPref = "white"
	PreferBlack  ColorPref = "black"
	PreferRandom ColorPref = "random"
)

// A Result is the outcome by army.
type Result string

// The results; Ongoing is never stored.
const (
	Ongoing   Result = "*"
	WhiteWins Result = "1-0"
	BlackWins Result = "0-1"
	Drawn     Result = "1/2-1/2"
)

// A Reason says why a game ended.
type Reason string

// Why games end with a result.
const (
	Checkmate    Reason = "checkmate"
	Stalemate    Reason = "stalemate"
	Repetition   Reason = "repetition"
	FiftyMoves   Reason = "fifty_moves"
	DeadPosition Reason = "dead_position"
	Agreement    Reason = "agreement"
	Resignation  Reason = "resignation"
	Timeout      Reason = "timeout"
	Forfeit      Reason = "forfeit"
	KingExposed  Reason = "king_exposed" // the king could be taken by the army that has the move
	KingCaptured Reason = "king_captured"
	UncalledUno  Reason = "uno_caught"       // caught with a bare king that was not announced
	IdleTurns    Reason = "idle"             // too many turns in a row without a move on the board
	NineZero     Reason = "nine_zero"        // nine against zero with the dice that end a turn
	SkippedCheck Reason = "skipped_in_check" // in check when the turn was skipped
	NoEight      Reason = "no_eight"         // ten dice before the game, and no eight
	TwelveOne    Reason = "twelve_one"       // mated, but twelve against one
	Exhausted    Reason = "exhausted"        // a seat's chain of links ran out
)

// Why games are aborted or voided.
const (
	ByCancel      Reason = "cancelled"
	NoOpponent    Reason = "no_opponent"
	Abandoned     Reason = "abandoned"
	ByServer      Reason = "server"
	KeyCompromise Reason = "key_compromise"
	SeedLost      Reason = "seed_lost"
	Administrator Reason = "administrator"
)
