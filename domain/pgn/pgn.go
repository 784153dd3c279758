// Package pgn writes and reads games in Portable Game Notation, the text format of
// chess programs (the PGN standard of 1994). Beside the moves a text holds what cards
// and dice did, as commands in comments, so that a game of any variant can be read back
// and played again by its rules.
package pgn

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"chancery/domain/game"
)

// Write writes one game and an empty line behind it: what its events say, oldest
// first, and the state that they led to. Site is where it was played, an address or
// "?". A game without a result has "*". The error is that of out.
//
// White and Black are the players who command the armies at the end, so that the
// result is theirs; WhiteSeat is the seat that began with White. The moves are in SAN.
// A turn without a move on the board is the null move "--", and a series of moves
// stands under one number. Comments hold, in the order in which things happened:
//
//	[%card R7] [%card W green]     the card of the turn, and the color it names
//	[%discard R5,B2]               cards thrown away, the last on top
//	[%top R5]                      the card that begins the discard pile
//	[%undo Nf3]                    a move that a Reverse takes back
//	[%swap]                        the players change armies
//	[%place P@d2] [%place n@b8]    a man that cards or dice put on the board
//	[%promote e4]                  a pawn that becomes a queen where it stands
//	[%first 17,4] [%eight 3,8,…]   the dice before the game, by seat
//	[%dice 9,0] [%effect win]      the dice of a turn, the mover's first, and their
//	                               effect; "impossible" behind it: nothing happened
//	[%rescue 1,12]                 the dice after mate, the mater's first
//	[%pass] [%end king_attacked]   why a series, or a turn without a move, is over
//	[%uno call white]              a call or a catch, and by whom
//	[%draw offer white]            an offer, accept, decline or claim
//	[%resign black] [%flag black] [%forfeit black] [%cancel black]
//	[%pause r] [%resume r] [%abort r] [%void r]
//	[%clk 0:04:58.5]               what the mover has left; of another army with its name
//	[%pile 0 R5,B2,…]              the order of a pile, top first, once it may be known
//
// What a text does not hold: times but for the date and the clocks, which of two equal
// cards was meant, and the proofs of chance. Those are in the records of the game.
func Write(out io.Writer, s game.State, history []game.Event, site string) error {
	var b strings.Builder
	for _, t := range tags(s, history, site) {
		fmt.Fprintf(&b, "[%s \"%s\"]\n", t.Name, escape(t.Value))
	}
	b.WriteByte('\n')
	wrap(&b, append(words(marksOf(history)), string(result(s))))
	b.WriteByte('\n')
	_, err := io.WriteString(out, b.String())
	return err
}

// A Tag is one line of the head of a game.
type Tag struct{ Name, Value string }

// The tags beside the seven that every game has.
const (
	tagID           = "GameId"
	tagVariant      = "Variant"
	tagRules        = "RulesVersion"
	tagRated        = "Rated"
	tagColor        = "ColorChoice" // the army that the creator asked for
	tagWhiteSeat    = "WhiteSeat"   // 1 or 2: the seat that began with White
	tagTimeControl  = "TimeControl"
	tagStart        = "Start" // "agreed" where the players chose the start position
	tagFEN          = "FEN"
	tagTermination  = "Termination"
	agreed          = "agreed"
	human           = "human"
	program         = "program"
	unknown         = "?"
	withoutControls = "-"
)

// tags are the seven that every game has, in their order, then what the game was
// agreed to be.
func tags(s game.State, history []game.Event, site string) []Tag {
	white, black := s.Commander(game.WhiteArmy), s.Commander(game.BlackArmy)
	list := []Tag{
		{"Event", "Chancery game"},
		{"Site", site},
		{"Date", date(history)},
		{"Round", "-"},
		{"White", playerName(s, white)},
		{"Black", playerName(s, black)},
		{"Result", string(result(s))},
		{tagID, s.ID},
		{tagVariant, variantName(s.Variant)},
		{tagRules, strconv.Itoa(s.Rules)},
		{tagRated, strconv.FormatBool(s.Rated)},
		{tagTimeControl, timeControl(s.Clock)},
		{tagColor, string(s.Color)},
	}
	list = append(list, typeTags(s, white, "White")...)
	list = append(list, typeTags(s, black, "Black")...)
	if seat := startedWith(history); seat != game.Spectator {
		list = append(list, Tag{tagWhiteSeat, strconv.Itoa(seat.Wire() + 1)})
	}
	list = append(list, optionTags(s)...)
	if start := cmp.Or(startFEN(history), s.Start); start != "" {
		list = append(list, Tag{"SetUp", "1"}, Tag{tagFEN, start})
	}
	if s.Start != "" {
		list = append(list, Tag{tagStart, agreed})
	}
	if s.Over() {
		list = append(list, Tag{tagTermination, string(s.Reason)})
	}
	return list
}

// typeTags say whether a person or a program commands the army, once somebody does.
func typeTags(s game.State, seat game.Seat, army string) []Tag {
	switch {
	case seat == game.Second && !s.Joined:
		return nil
	case s.Seats[seat.Wire()].Bot != "":
		return []Tag{{army + "Type", program}}
	}
	return []Tag{{army + "Type", human}}
}

// optionTags are the options in the order of the variant, under their names with a
// capital letter.
func optionTags(s game.State) (list []Tag) {
	v, err := game.Lookup(s.Variant)
	if err != nil {
		return nil
	}
	for _, o := range v.Options {
		value := string(s.Options[o.Name])
		if o.Default != "" && o.Default[0] == '"' {
			value = s.Options[o.Name].Text()
		}
		list = append(list, Tag{optionTag(o), value})
	}
	return list
}

func optionTag(o game.Option) string { return strings.ToUpper(o.Name[:1]) + o.Name[1:] }

const dateLayout = "2006.01.02"

func date(history []game.Event) string {
	if len(history) == 0 || history[0].At == 0 {
		return "????.??.??"
	}
	return time.UnixMilli(int64(history[0].At)).UTC().Format(dateLayout)
}

func playerName(s game.State, seat game.Seat) string {
	who := s.Seats[seat.Wire()]
	switch {
	case who.Bot != "":
		return who.Bot
	case who.Player != "":
		return who.Player
	}
	return unknown
}

func result(s game.State) game.Result {
	if s.Result == "" || s.Voided {
		return game.Ongoing
	}
	return s.Result
}

// timeControl is base and increment in seconds, or "-" without a clock.
func timeControl(c game.Clock) string {
	if !c.Used {
		return withoutControls
	}
	text := seconds(c.Spec.Base)
	if c.Spec.Increment > 0 {
		text += "+" + seconds(c.Spec.Increment)
	}
	return text
}

// seconds writes milliseconds as seconds, with a fraction where there is one.
func seconds(ms int64) string {
	if ms%1000 == 0 {
		return strconv.FormatInt(ms/1000, 10)
	}
	return strings.TrimRight(fmt.Sprintf("%d.%03d", ms/1000, ms%1000), "0")
}

func variantName(key string) string {
	if v, err := game.Lookup(key); err == nil {
		return v.Name
	}
	return key
}

// startFEN is the position that play began with, or empty where it has not begun.
func startFEN(history []game.Event) string {
	for _, e := range history {
		if f, ok := e.Fact.(game.GameStarted); ok {
			return f.FEN
		}
	}
	return ""
}

// startedWith is the seat that White was given to at first.
func startedWith(history []game.Event) game.Seat {
	for _, e := range history {
		if f, ok := e.Fact.(game.ColorsDrawn); ok {
			return f.White
		}
	}
	return game.Spectator
}

// escape makes a value safe between quotes: a backslash before quotes and
// backslashes, and nothing that would end the line.
func escape(value string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(value))
}

// oneLine has a space for everything that is no text: controls and ends of lines.
func oneLine(value string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r <= 0x9f || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, value)
}
