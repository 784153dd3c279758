package scenario

import (
	"encoding/json"
	"errors"
	"fmt"

	"chancery/domain/chess"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// tableID is the name of the game that a scenario plays.
const tableID = "scenario"

// second is how much later every step happens.
const second game.Instant = 1000

// A table is a game in the middle of a scenario.
type table struct {
	state  game.State
	white  game.Seat // who held the white army when the game started
	chance *script
	name   func(game.Fact) string
	events []string // types of the events since the last check
	now    game.Instant
}

// open creates the game and brings it to the first step. A refusal of the options
// is the error of game.Decide; anything else is a fault of the scenario.
func (t *table) open(s Scenario) error {
	create, err := readTable(s)
	if err != nil {
		return err
	}
	t.state = game.New(tableID)
	if err := t.decide(game.First, create); err != nil {
		return err
	}
	t.white = t.state.Commander(game.WhiteArmy)
	if v, err := game.Lookup(s.Variant); err == nil && v.Deck != nil {
		t.chance.deck = v.Deck(t.state.Options)
		t.chance.letLive(t.state.Options)
	}
	if s.Start == nil {
		err = t.decide(game.Second, game.Join{})
	} else {
		err = t.arrange(*s.Start)
	}
	return err
}

// readTable is the table that the first seat opens. Its color is an option of every
// variant; a start says for itself who holds White.
func readTable(s Scenario) (game.Create, error) {
	options, err := readOptions(s.Options)
	create := game.Create{Variant: s.Variant, Options: options, Color: game.PreferWhite}
	if color := options["color"].Text(); color != "" {
		create.Color = game.ColorPref(color)
		delete(options, "color")
	}
	return create, err
}

// readOptions reads options as a client would send them: what is no value of an
// option is refused like one of the wrong kind.
func readOptions(raw map[string]json.RawMessage) (game.Options, error) {
	options := game.Options{}
	for name, v := range raw {
		var value game.Value
		if err := json.Unmarshal(v, &value); err != nil {
			return nil, game.Refuse(game.BadOption, "%s: %v", name, err)
		}
		options[name] = value
	}
	return options, nil
}

// decide lets the seat act and folds what comes of it.
func (t *table) decide(by game.Seat, a game.Action) error {
	t.now += second
	list, err := game.Decide(t.state, game.Command{By: by, At: t.now, Action: a}, t.chance)
	if err != nil {
		return err
	}
	t.fold(list...)
	return t.openLinks()
}

// openLinks does the server's part in duet, where it keeps all chains.
func (t *table) openLinks() error {
	for t.chance.fault == nil && t.state.AwaitsServer() {
		list, err := game.Decide(t.state, game.Command{At: t.now, Action: game.OpenLink{}}, t.chance)
		if err != nil {
			return err
		}
		t.fold(list...)
	}
	return t.chance.fault
}

func (t *table) fold(list ...game.Event) {
	t.state = game.Fold(t.state, list...)
	for _, e := range list {
		t.events = append(t.events, t.name(e.Fact))
		if f, ok := e.Fact.(game.GameStarted); ok {
			t.white = f.White
		}
	}
}

// arrange seats the second player and puts the start on the table, as if the
// game had begun with it: nothing is drawn, rolled or dealt.
func (t *table) arrange(s Start) error {
	fen, err := t.startFEN(s.FEN)
	if err != nil {
		return fmt.Errorf("start: %w", err)
	}
	anchor := t.chance.Anchor(game.Second.Wire())
	seated := &fair.Part{Anchor: []fair.Anchor{anchor}}
	seated.Link = t.chance.Link(t.state.Fair.Evolve(seated), game.Second.Wire())
	opened := &fair.Part{Link: t.chance.Link(t.state.Fair, game.First.Wire())}
	t.tell(game.PlayerJoined{Seat: game.Second}, seated)
	t.tell(game.LinkOpened{Seat: game.First}, opened)
	if err := t.layCards(s.Cards); err != nil {
		return fmt.Errorf("start: cards: %w", err)
	}
	if err := t.layPools(s.Pool); err != nil {
		return fmt.Errorf("start: pool: %w", err)
	}
	t.tell(game.GameStarted{FEN: fen, White: game.First}, nil)
	for _, uci := range s.History {
		if err := t.retell(uci, s.Pool == nil); err != nil {
			return fmt.Errorf("start: history: %w", err)
		}
	}
	if err := t.arrangeRest(s); err != nil {
		return fmt.Errorf("start: %w", err)
	}
	t.events = nil
	t.fold(game.Continue(t.state, t.now, t.chance)...)
	return t.openLinks()
}

// arrangeRest sets what is neither position nor card.
func (t *table) arrangeRest(s Start) error {
	if s.Idle != nil {
		if err := readStrictly(s.Idle, &t.state.Idle); err != nil {
			return fmt.Errorf("idle: %w", err)
		}
	}
	if s.Control != nil {
		var control map[game.Army]game.Army
		if err := readStrictly(s.Control, &control); err != nil {
			return fmt.Errorf("control: %w", err)
		}
		if control[game.WhiteArmy] == game.BlackArmy {
			t.state.White = t.white.Other()
		}
	}
	t.state.Cards.Draw = t.chance.liveCards()
	return nil
}

// layPools sets the captured men, which are part of every position that follows.
func (t *table) layPools(raw json.RawMessage) (err error) {
	if raw != nil {
		t.state.Pools, err = readPools(raw)
	}
	return err
}

// readPools reads the captured men of each army. A man of the other army's color in
// a pool is a fault.
func readPools(raw json.RawMessage) (pools [2]string, err error) {
	var given map[game.Army]string
	if err := readStrictly(raw, &given); err != nil {
		return pools, err
	}
	for army, men := range given {
		for i := range len(men) {
			man, ok := chess.ParsePiece(men[i])
			if !ok || game.Army(man.Color()) != army || man.Role() == chess.King {
				return pools, fmt.Errorf("%q is no captured man of %s", men[i], army)
			}
		}
		pools[army] = men
	}
	return pools, nil
}

// startFEN is the position of the start in its written form, or the variant's own.
func (t *table) startFEN(fen string) (string, error) {
	v, err := game.Lookup(t.state.Variant)
	if err != nil {
		return "", err
	}
	if fen == "" {
		fen = v.Start(t.state.Options)
	}
	p, err := chess.ParsePosition(fen, v.Law(t.state.Options))
	if err != nil {
		return "", err
	}
	return p.FEN(), nil
}

// retell folds a move that was made before the first step. Where a start names the
// captured men, those of its history are among them.
func (t *table) retell(uci string, tellCaptured bool) error {
	p, err := t.state.Position()
	if err != nil {
		return err
	}
	m, err := p.ParseUCI(uci)
	if err != nil {
		return err
	}
	f := game.MovePlayed{Army: t.state.Turn(), SAN: p.SAN(m), UCI: m.UCI()}
	if tellCaptured {
		f.Captured = game.Captured(&p, m)
	}
	p.Play(m)
	f.FEN, f.Check = p.FEN(), p.InCheck()
	t.tell(f, nil)
	if t.state.Due != "" { // such a move ends its turn without a roll
		t.tell(game.TurnEnded{Idle: t.state.Idle, Turn: t.state.Turn()}, nil)
	}
	return nil
}

// tell folds something that happened before the first step, in a record of its own.
func (t *table) tell(f game.Fact, part *fair.Part) {
	t.fold(game.Event{N: t.state.N + 1, At: t.now, Fact: f, Fair: part})
}

// seat finds a seat by what a scenario calls it: by the army that it held when the
// game started, or by the order of sitting down.
func (t *table) seat(name string) (game.Seat, error) {
	switch name {
	case "seat1":
		return game.First, nil
	case "seat2":
		return game.Second, nil
	case "white":
		return t.white, nil
	case "black":
		return t.white.Other(), nil
	}
	return game.Spectator, fmt.Errorf("there is no seat %q; a seat is white, black, seat1 or seat2", name)
}

// refused says whether err is a refusal of the game, and with the code if one is asked for.
func refused(err error, code string) bool {
	var refusal *game.Refusal
	return errors.As(err, &refusal) && (code == "" || refusal.Code == game.Code(code))
}
