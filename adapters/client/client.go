// Package client plays on a Chancery server over its HTTP API, as an honest player's
// program should: it keeps its own chain of links, believes nothing that the records
// do not prove, and repeats a command whose answer was lost with the same key.
package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"chancery/domain/fair"
	"chancery/domain/game"
)

// A Client is a server's API as one seat of a game uses it, or a spectator.
type Client struct {
	base  *url.URL
	token string // of the seat; empty for a spectator
	http  http.Client

	// Waiting, unless nil, is told once a command why it has no answer yet and is
	// repeated, and for how long.
	Waiting func(err error, most time.Duration)
}

// New returns the API of the server at the address, such as http://localhost:8080.
func New(server, token string) (*Client, error) {
	base, err := url.Parse(server)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("the address of a server is like http://localhost:8080, not %q", server)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	return &Client{base: base, token: token, http: http.Client{Transport: transport}}, nil
}

// As is the same server seen from the seat of the token.
func (c *Client) As(token string) *Client { return &Client{base: c.base, token: token, http: c.http} }

// Close lets idle connections go.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// A Create asks for a game. Empty fields are left to the server.
type Create struct {
	Variant  string          `json:"variant"`
	Options  game.Options    `json:"options,omitempty"`
	Color    game.ColorPref  `json:"color,omitempty"`
	Clock    *game.ClockSpec `json:"clock,omitempty"`
	Rated    *bool           `json:"rated,omitempty"`
	Start    string          `json:"start,omitempty"`
	ID       string          `json:"id,omitempty"`
	Anchor   *fair.Hash      `json:"anchor,omitempty"`
	Opponent *Opponent       `json:"opponent,omitempty"`
}

// An Opponent is a program of the server's.
type Opponent struct {
	Bot string `json:"bot"`
}

// A Join takes the second seat; without an anchor the server keeps the chain.
type Join struct {
	Anchor *fair.Hash `json:"anchor,omitempty"`
	Link   *fair.Hash `json:"link,omitempty"`
}

// A Seated answers a Create or a Join.
type Seated struct {
	ID    string    `json:"id,omitempty"`
	Seat  game.Seat `json:"seat"`
	Token string    `json:"token"`
	N     int       `json:"n"`
}

// An Act is a command. Do is an action as [game.ParseAction] reads it.
type Act struct {
	Do     json.RawMessage `json:"do"`
	Expect *int            `json:"expect,omitempty"`
	Link   *fair.Hash      `json:"link,omitempty"`
	Ack    *fair.Hash      `json:"ack,omitempty"`
}

// An Acted answers an Act.
type Acted struct {
	N    int       `json:"n"`
	View game.View `json:"view"`
}

// A Problem is a refusal, as the server words it. It matches the [game.Code] of its
// type with errors.Is.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Status int    `json:"status"`
	N      int    `json:"n"` // number of the newest record, with game.Stale
}

// Error is the sentence for people.
func (p *Problem) Error() string {
	switch {
	case p.Detail != "":
		return p.Detail
	case p.Title != "":
		return p.Title
	}
	return fmt.Sprintf("the server answers with status %d", p.Status)
}

// Is matches the code at the end of the problem's type.
func (p *Problem) Is(target error) bool {
	code, ok := target.(game.Code)
	return ok && strings.HasSuffix(p.Type, "/"+string(code))
}

// NewKey is a fresh idempotency key: 128 bits of randomness.
func NewKey() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(b[:])
}

// Create opens a game. Repeating it with the same key gives the same answer.
func (c *Client) Create(ctx context.Context, ask Create, key string) (s Seated, err error) {
	return s, c.post(ctx, "/api/games", key, ask, &s)
}

// Join takes the second seat of a game.
func (c *Client) Join(ctx context.Context, id string, ask Join, key string) (s Seated, err error) {
	return s, c.post(ctx, path(id, "join"), key, ask, &s)
}

// Act sends a command. Where no answer comes it is sent again with its key, so that it
// counts once.
func (c *Client) Act(ctx context.Context, id string, ask Act, key string) (a Acted, err error) {
	return a, c.post(ctx, path(id, "actions"), key, ask, &a)
}

// View is the game as the token's seat may see it, after record at, or now where at is
// nil. As names other eyes ("spectator"), empty for the seat's own.
func (c *Client) View(ctx context.Context, id string, at *int, as string) (v game.View, err error) {
	query := url.Values{}
	if at != nil {
		query.Set("at", strconv.Itoa(*at))
	}
	if as != "" {
		query.Set("as", as)
	}
	response, err := c.get(ctx, path(id, ""), query, "application/json")
	if err != nil {
		return v, err
	}
	defer response.Body.Close()
	return v, json.NewDecoder(response.Body).Decode(&v)
}

func path(id, call string) string {
	return strings.TrimSuffix("/api/games/"+url.PathEscape(id)+"/"+call, "/")
}

// How long a command is repeated whose answer does not come.
const (
	patience   = 30 * time.Second
	firstPause = 50 * time.Millisecond
	longPause  = 2 * time.Second
)

func (c *Client) post(ctx context.Context, path, key string, ask, answer any) error {
	body, err := json.Marshal(ask)
	if err != nil {
		return err
	}
	giveUp := time.Now().Add(patience)
	for pause := firstPause; ; pause = min(2*pause, longPause) {
		err := c.postOnce(ctx, path, key, body, answer)
		if err == nil || !passing(err) || ctx.Err() != nil || time.Now().After(giveUp) {
			return err
		}
		if pause == firstPause && c.Waiting != nil {
			c.Waiting(err, patience)
		}
		select {
		case <-ctx.Done():
		case <-time.After(pause):
		}
	}
}

// passing says that an error may go by itself: no answer, or one that says "later".
func passing(err error) bool {
	var p *Problem
	if !errors.As(err, &p) {
		return true
	}
	return p.Status == http.StatusTooManyRequests || p.Status >= 500
}

func (c *Client) postOnce(ctx context.Context, path, key string, body []byte, answer any) error {
	request, err := c.request(ctx, http.MethodPost, path, nil, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := c.do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(answer); err != nil {
		return fmt.Errorf("reading the server's answer: %w", err)
	}
	return nil
}

func (c *Client) get(ctx context.Context, path string, query url.Values, accept string) (*http.Response, error) {
	request, err := c.request(ctx, http.MethodGet, path, query, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accept)
	return c.do(request)
}

func (c *Client) request(ctx context.Context, method, path string, query url.Values, body io.Reader) (*http.Request, error) {
	at := c.base.JoinPath(path)
	at.RawQuery = query.Encode()
	request, err := http.NewRequestWithContext(ctx, method, at.String(), body)
	if err != nil {
		return nil, err
	}
	if c.token != "" {
		request.Header.Set("Authorization", "Bearer "+c.token)
	}
	return request, nil
}

// do sends a request; an answer that is no success is a [*Problem].
func (c *Client) do(request *http.Request) (*http.Response, error) {
	response, err := c.http.Do(request)
	if err != nil {
		return nil, fmt.Errorf("asking the server: %w", err)
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	problem := Problem{Status: response.StatusCode}
	b, err := io.ReadAll(io.LimitReader(response.Body, 64<<10))
	if err != nil {
		return nil, fmt.Errorf("asking the server: %w", err)
	}
	if json.Unmarshal(b, &problem) != nil {
		problem.Detail = fmt.Sprintf("the server answers %s: %.200s", response.Status, b)
	}
	return nil, &problem
}
