package game

import "chancery/domain/fair"

// A Command asks for one thing, on behalf of one seat. The zero By is the server
// itself, which keeps time and tidies up.
type Command struct {
	By     Seat
	At     Instant // when the server received it; never before the game's last record
	Action Action
	Link   *fair.Hash // the seat's next link, where one is due
	Ack    *fair.Hash // hash of the newest record that the client has seen
}

// An Action is what a command asks for.
//
//sumtype:decl
type Action interface{ action() }

// What the people at the table ask for.
type (
	// Create opens a table in a State made by [New] and takes its first seat. An empty Anchor delegates the
	// seat's chain to the server.
	Create struct {
		Variant string
		Options Options // those that differ from the defaults
		Color   ColorPref
		Clock   *ClockSpec
		Rated   bool
		Start   string // FEN, or empty for the variant's own start
		Seats   [2]Sitter
		Anchor  *fair.Hash
	}
	// Join takes the second seat. An empty Anchor delegates the seat's chain.
	Join struct {
		Bot, Player string
		Anchor      *fair.Hash
	}
	// OpenLink releases a seat's link by itself, where the opening waits for it.
	OpenLink struct{}
	// StopLinks says that the seat has lost its chain.
	StopLinks struct{}
	// Move plays a move on the board, in UCI.
	Move struct{ UCI string }
	// Drop puts a man on the board, written like N@f3; a lower-case letter is a black man.
	Drop struct{ UCI string }
	// Promote names the pawn that the dice turn into a queen.
	Promote struct{ Square string }
	// PlayCard plays a card of the hand by its code; a wild one names a color.
	PlayCard struct {
		Card  string
		Color string
	}
	// Discard puts cards of the hand, by their codes, on the pile; the last ends on top.
	Discard struct{ Cards []string }
	// Pass ends a series, or lets a captured king go.
	Pass struct{}
	// CallUno announces a bare king.
	CallUno struct{}
	// CatchUno catches the other side without its announcement.
	CatchUno struct{}
	// Resign gives up.
	Resign struct{}
	// OfferDraw proposes a draw.
	OfferDraw struct{}
	// AcceptDraw takes the other seat's offer.
	AcceptDraw struct{}
	// DeclineDraw turns the other seat's offer down.
	DeclineDraw struct{}
	// ClaimDraw asks for a draw by repetition or by the fifty-move rule.
	ClaimDraw struct{}
	// Cancel calls the game off: alone before it begins, by agreement afterwards.
	Cancel struct{}
)

// What the server asks for by itself.
type (
	// CallFlag ends the game if the seat's time has run out at the command's time.
	CallFlag struct{ Seat Seat }
	// CallForfeit ends the game against a seat that owes something for too long.
	CallForfeit struct{ Seat Seat }
	// Pause stops the clocks.
	Pause struct{ Reason string }
	// Resume lets the clocks go on from Clock, which charges the running seat only
	// for the time in which the server was there to take its move.
	Resume struct {
		Reason string
		Clock  *Clocks
	}
	// Abort ends a game without a result.
	Abort struct{ Reason Reason }
	// Void takes a game out of every count.
	Void struct{ Reason Reason }
)

func (Create) action()      {}
func (Join) action()        {}
func (OpenLink) action()    {}
func (StopLinks) action()   {}
func (Move) action()        {}
func (Drop) action()        {}
func (Promote) action()     {}
func (PlayCard) action()    {}
func (Discard) action()     {}
func (Pass) action()        {}
func (CallUno) action()     {}
func (CatchUno) action()    {}
func (Resign) action()      {}
func (OfferDraw) action()   {}
func (AcceptDraw) action()  {}
func (DeclineDraw) action() {}
func (ClaimDraw) action()   {}
func (Cancel) action()      {}
func (CallFlag) action()    {}
func (CallForfeit) action() {}
func (Pause) action()       {}
func (Resume) action()      {}
func (Abort) action()       {}
func (Void) action()        {}
