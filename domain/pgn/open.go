package pgn

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"chancery/domain/game"
)

// open reads from the tags what was agreed, and opens the table.
func (p *replay) open() error {
	v, err := variantOf(p.text.tag(tagVariant))
	if err != nil {
		return err
	}
	p.own = p.text.has(tagRules)
	if version := p.text.tag(tagRules); p.own && version != strconv.Itoa(v.Rules) {
		return fmt.Errorf("%w: it is played by version %.10s of the rules of %s, and this program knows version %d", ErrRules, version, v.Name, v.Rules)
	}
	options, err := p.options(v)
	if err != nil {
		return err
	}
	create := game.Create{
		Variant: v.Key, Options: options, Color: p.colorChoice(), Clock: parseControl(p.text.tag(tagTimeControl)),
		Rated: p.text.tag(tagRated) == "true", Start: p.start(v, options),
	}
	create.Seats[0] = p.sitter(game.First)
	if p.chance, err = newScript(p, v, options); err != nil {
		return err
	}
	id := p.text.tag(tagID)
	if id == "" {
		id = "unnamed"
	}
	p.now = parseDate(p.text.tag("Date"))
	p.game.State = game.New(id)
	return p.do(game.First, create)
}

// seatBoth lets the second player sit down, which begins the game, unless the text
// ends before.
func (p *replay) seatBoth() error {
	if !p.own || len(p.text.marks) > 0 || p.text.has(p.armyAtEnd(game.Second)+"Type") {
		who := p.sitter(game.Second)
		if who.Player == p.game.State.Seats[0].Player {
			who.Player = "" // two of the same name are two people
		}
		if err := p.do(game.Second, game.Join{Bot: who.Bot, Player: who.Player}); err != nil {
			return err
		}
	}
	p.started = true
	return nil
}

// variantOf finds a variant by its name; a text without any is of chess.
func variantOf(name string) (game.Variant, error) {
	if name == "" || name == "Standard" {
		name = "Chess"
	}
	names := make([]string, 0, 8)
	for _, v := range game.Variants() {
		if v.Name == name || v.Key == name {
			return v, nil
		}
		names = append(names, v.Name)
	}
	return game.Variant{}, fmt.Errorf("%w: there is no variant %.40q; there are %s", ErrRules, name, strings.Join(names, ", "))
}

func (p *replay) options(v game.Variant) (game.Options, error) {
	given := game.Options{}
	for _, o := range v.Options {
		if !p.text.has(optionTag(o)) {
			continue
		}
		raw := p.text.tag(optionTag(o))
		if o.Default != "" && o.Default[0] == '"' {
			raw = strconv.Quote(raw)
		}
		var value game.Value
		if err := value.UnmarshalJSON([]byte(raw)); err != nil {
			return nil, fmt.Errorf("%s: %w: %w", optionTag(o), ErrSyntax, err)
		}
		given[o.Name] = value
	}
	return v.Complete(given)
}

// beganWith is the seat that White was given to.
func (p *replay) beganWith() game.Seat {
	if p.text.tag(tagWhiteSeat) == "2" || !p.text.has(tagWhiteSeat) && p.text.tag(tagColor) == string(game.PreferBlack) {
		return game.Second
	}
	return game.First
}

// colorChoice is the army that the creator asked for.
func (p *replay) colorChoice() game.ColorPref {
	switch {
	case p.text.has(tagColor):
		return game.ColorPref(p.text.tag(tagColor))
	case p.beganWith() == game.Second:
		return game.PreferBlack
	}
	return game.PreferWhite
}

// armyAtEnd is the army of the seat when all changes of armies are done, as tags write
// it: White and Black name the players who command them then.
func (p *replay) armyAtEnd(s game.Seat) string {
	white := p.beganWith()
	for _, m := range p.text.marks {
		if m.command == "swap" {
			white = white.Other()
		}
	}
	if s == white {
		return "White"
	}
	return "Black"
}

func (p *replay) sitter(s game.Seat) game.Sitter {
	army := p.armyAtEnd(s)
	name := p.text.tag(army)
	switch {
	case name == unknown:
		return game.Sitter{}
	case p.text.tag(army+"Type") == program:
		return game.Sitter{Bot: name}
	}
	return game.Sitter{Player: name}
}

// start is the start position that the players agreed on, or empty. One of another
// program is agreed if the variant does not begin with it.
func (p *replay) start(v game.Variant, o game.Options) string {
	fen := p.text.tag(tagFEN)
	switch {
	case p.text.tag(tagStart) == agreed:
		return fen
	case p.own || fen == v.Start(o) || v.Start(o) == "" && arrayIndex(fen) >= 0:
		return ""
	}
	return fen
}

// arrayIndex is the index of No Castle's start array with which a position begins; -1
// for none.
func arrayIndex(fen string) int {
	for i, array := range game.Arrays() {
		if fen == strings.ToLower(array)+"/pppppppp/8/8/8/8/PPPPPPPP/"+array+" w - - 0 1" {
			return i
		}
	}
	return -1
}

// parseControl reads base and increment; nil for no clock, and for what no clock here
// can do.
func parseControl(text string) *game.ClockSpec {
	base, increment, _ := strings.Cut(text, "+")
	spec := game.ClockSpec{}
	var ok1, ok2 bool
	spec.Base, ok1 = parseSeconds(base)
	spec.Increment, ok2 = parseSeconds(increment)
	if increment == "" {
		ok2 = true
	}
	if !ok1 || !ok2 {
		return nil
	}
	return &spec
}

// parseDate is the beginning of a day; 0 for one that is not known.
func parseDate(text string) game.Instant {
	day, err := time.Parse(dateLayout, text)
	if err != nil || day.UnixMilli() < 0 {
		return 0
	}
	return game.Instant(day.UnixMilli())
}
