package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"chancery/adapters/client"
	"chancery/domain/fair"
	"chancery/domain/game"
)

// A player plays one seat: it follows the game's records, opens links that are due by
// themselves, and sends what is typed. All but the reading happens in one goroutine.
type player struct {
	env      *Env
	api      *client.Client
	seat     *client.Seat
	seats    client.Keep
	table    *client.Table
	terminal bool // somebody sits there: nothing waits for his turn

	waiting []string // lines that wait for the seat's turn
	answerN int      // number of the record that the last command led to
	shown   int      // ply that is drawn already, plus one
	quit    bool
}

// A news is a payload of the stream, or its end.
type news struct {
	payload []byte
	err     error
}

// play follows the game until it is over, the player quits, or something goes wrong.
func (p *player) play(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, typed := p.follow(ctx), lines(ctx, p.env)
	caughtUp, err := p.api.View(ctx, p.seat.Game, nil, "")
	if err != nil {
		return fmt.Errorf("looking at game %s: %w", p.seat.Game, err)
	}
	for !p.quit {
		select {
		case n, ok := <-stream:
			if !ok || n.err != nil {
				return p.streamEnded(n.err)
			}
			if err := p.absorb(ctx, n.payload, caughtUp.N); err != nil {
				return err
			}
		case line, ok := <-typed:
			if !ok {
				typed, p.quit = nil, p.terminal
				continue
			}
			p.waiting = append(p.waiting, line)
		}
		if p.table.Game.N >= caughtUp.N {
			p.work(ctx)
		}
		if p.table.Game.State.Over() {
			return nil
		}
	}
	return nil
}

// follow reads the stream in the background.
func (p *player) follow(ctx context.Context) <-chan news {
	out := make(chan news)
	go func() {
		defer close(out)
		for payload, err := range p.api.Stream(ctx, p.seat.Game, -1) {
			select {
			case out <- news{payload, err}:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out
}

func (p *player) streamEnded(err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return nil
	}
	return fmt.Errorf("following game %s: %w", p.seat.Game, err)
}

// absorb checks a record, keeps what was seen, and shows it once the past is caught up.
func (p *player) absorb(ctx context.Context, payload []byte, present int) error {
	if _, err := p.table.Absorb(payload); err != nil {
		return fmt.Errorf("%w; keep the file of %s in this game, and do not play on", err, chair(p.seat.Seat))
	}
	g := p.table.Game
	if g.N < present {
		return nil
	}
	p.seat.Pin = p.table.Pin()
	if err := p.seats.Save(p.seat); err != nil {
		return err
	}
	p.tell(ctx)
	if slices.Contains(g.State.Owing(), p.seat.Seat) && !g.State.Fair.Seat[p.seat.Seat.Wire()].Delegated {
		p.send(ctx, game.OpenLink{}, `{"link":true}`)
	}
	return nil
}

// tell shows what a record changed: the table anew when the board did.
func (p *player) tell(ctx context.Context) {
	s, v := p.table.Game.State, p.view(ctx)
	if s.Playing() && p.shown == s.Plies+1 {
		p.env.printf("%s. %s\n", strings.Join(v.Log, ". "), status(v))
		return
	}
	if s.Playing() {
		p.shown = s.Plies + 1
	}
	drawView(p.env.Out, v)
	if s.ToAct() == p.seat.Seat {
		p.env.printf("Your move.\n")
	}
}

// view is what the seat may know. The records alone tell it, but for the hand of a card
// game, which only the server knows.
func (p *player) view(ctx context.Context) game.View {
	v := game.ViewFor(p.table.Game.State, p.seat.Seat, nil)
	if v.Table == nil {
		return v
	}
	if full, err := p.api.View(ctx, p.seat.Game, &v.N, ""); err == nil {
		return full
	}
	return v
}

// work answers the lines that are due: from a pipe, moves when it is the seat's turn;
// anything else at once, but not before the last command has come back in the stream.
func (p *player) work(ctx context.Context) {
	for len(p.waiting) > 0 && !p.quit && p.table.Game.N >= p.answerN && !p.table.Game.State.Over() {
		line := strings.TrimSpace(p.waiting[0])
		mine := p.table.Game.State.ToAct() == p.seat.Seat
		if !p.terminal && !mine && isMove(line) {
			return
		}
		p.waiting = p.waiting[1:]
		p.answer(ctx, line)
	}
}

// isMove says whether a line is part of a turn rather than one of the words of help.
func isMove(line string) bool {
	_, known := words[line]
	return line != "" && !known
}

// words are what can be typed at any time: what is asked for, as the server reads it.
var words = map[string]string{
	"resign":     `{"resign":true}`,
	"draw":       `{"draw":"offer"}`,
	"accept":     `{"draw":"accept"}`,
	"decline":    `{"draw":"decline"}`,
	"uno":        `{"uno":"call"}`,
	"catch":      `{"uno":"catch"}`,
	"cancel":     `{"cancel":true}`,
	"stop links": `{"stop_links":true}`,
	"board":      "", "moves": "", "help": "", "quit": "",
}

const help = `A move is e2e4, e7e8q or Nf3; a drop is N@f3. Also:
  draw, accept, decline   offer a draw, or answer an offer
  claim                   claim a draw by repetition or the fifty-move rule
  resign, cancel          give up, or call the game off
  play R5, play W green   play a card; a wild one with the color you want
  discard R5 B2           discard cards, the last on top
  pass                    end a series, or let a captured king go
  uno, catch              call UNO, or catch the other side without it
  stop links              your chain of links is lost: go on without it
  board, moves            draw the board, list your moves
  quit                    leave; the game goes on without you
`

// answer does what a line says.
func (p *player) answer(ctx context.Context, line string) {
	switch line {
	case "":
	case "quit":
		p.quit = true
	case "help":
		p.env.printf("%s", help)
	case "board":
		drawView(p.env.Out, p.view(ctx))
	case "moves":
		p.env.printf("%s\n", openNow(p.view(ctx)))
	default:
		p.command(ctx, line)
	}
}

// openNow lists the moves of a view, or says what is due instead.
func openNow(v game.View) string {
	switch {
	case len(v.Legal) > 0:
		return strings.Join(v.Legal, " ")
	case len(v.Cards) > 0:
		return "First play a card: " + strings.Join(v.Cards, " ")
	}
	return "You have no move now."
}

// command sends a word's command, or a part of a turn.
func (p *player) command(ctx context.Context, line string) {
	do, known := words[line]
	if !known {
		do = p.turn(line)
	}
	action, err := game.ParseAction([]byte(do))
	if err != nil {
		p.env.warnf("%v Type help for what there is.\n", err)
		return
	}
	p.send(ctx, action, do)
}

// turn reads a part of a turn: a card, or a move in UCI or SAN.
func (p *player) turn(line string) (do string) {
	switch word, rest := strings.Fields(line), map[string]any{}; {
	case line == "claim":
		return `{"draw":"claim"}`
	case line == "pass":
		return `{"pass":true}`
	case word[0] == "play" && (len(word) == 2 || len(word) == 3):
		rest["play"] = word[1]
		if len(word) == 3 {
			rest["color"] = word[2]
		}
		return asJSON(rest)
	case word[0] == "discard":
		rest["discard"] = word[1:]
		return asJSON(rest)
	}
	return p.move(line)
}

// move names a move as the server does. What is no move of this position is sent as it
// is: the server says what is wrong with it.
func (p *player) move(text string) (do string) {
	s := p.table.Game.State
	if position, err := s.Position(); err == nil && !slices.Contains(game.LegalMoves(s), text) {
		if m, err := position.ParseSAN(text); err == nil {
			text = m.UCI()
		}
	}
	key := "move"
	switch game.ActionOf(text).(type) {
	case game.Drop:
		key = "drop"
	case game.Promote:
		key = "promote"
	default: // what it is then is for the server to say
	}
	return asJSON(map[string]any{key: text})
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "" // strings and lists of them always can be written
	}
	return string(b)
}

// send sends a command for the newest record seen, with the link that it must carry.
func (p *player) send(ctx context.Context, action game.Action, do string) {
	g := p.table.Game
	link, err := p.seat.Link(g.State, action)
	if err != nil {
		p.env.warnf("%v\n", err)
		return
	}
	var ack *fair.Hash
	if game.IsTurn(action) {
		ack = &g.Head
	}
	answer, err := p.api.Act(ctx, g.State.ID, client.Act{Do: json.RawMessage(do), Expect: &g.N, Link: link, Ack: ack}, client.NewKey())
	if err != nil {
		p.env.warnf("%v\n", err)
		return
	}
	p.answerN = answer.N
}
