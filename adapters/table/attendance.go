package table

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"chancery/domain/game"
)

// Notes are small named values kept beside the ledger, shared by all instances that
// serve it.
type Notes interface {
	// Update replaces the value of a note with what edit makes of it, nil for one not
	// yet written, and stores nothing where edit fails or gives nil. It runs edit
	// again where another instance was quicker.
	Update(ctx context.Context, name string, edit func(old []byte) ([]byte, error)) error
}

// attendanceNote is the name of the note that holds the [attendance].
const attendanceNote = "attendance"

const (
	beat     = 2 * time.Second // how often a server says that it is there
	absence  = 3 * beat        // a server silent for longer was away
	remember = 31 * 24 * time.Hour
)

// An attendance is when somebody was there to take the players' moves. Clocks are
// charged only for that time.
type attendance struct {
	Alive   game.Instant `json:"alive"` // the last sign of life
	Outages []outage     `json:"outages,omitempty"`
}

// An outage is a stretch of time in which nobody was there.
type outage struct {
	From game.Instant `json:"from"`
	To   game.Instant `json:"to"`
}

// missed is how many milliseconds of the stretch from..to nobody was there.
func (a attendance) missed(from, to game.Instant) int64 {
	var sum int64
	for _, o := range a.Outages {
		sum += max(0, int64(min(o.To, to)-max(o.From, from)))
	}
	return sum
}

// seen is a with a sign of life at now. Silence for longer than tolerated before it
// was an outage. Outages never overlap, and old ones are forgotten: no game stands
// still for so long.
func (a attendance) seen(now game.Instant, tolerated time.Duration) attendance {
	next := attendance{Alive: max(a.Alive, now), Outages: slices.Clone(a.Outages)}
	if a.Alive > 0 && now-a.Alive > game.Instant(tolerated.Milliseconds()) {
		next.Outages = append(next.Outages, outage{From: a.Alive, To: now})
	}
	next.Outages = slices.DeleteFunc(next.Outages, func(o outage) bool {
		return now-o.To > game.Instant(remember.Milliseconds())
	})
	return next
}

// signIn writes a sign of life and gives what all instances have written so far.
func signIn(ctx context.Context, notes Notes, now game.Instant, tolerated time.Duration) (attendance, error) {
	var a attendance
	err := notes.Update(ctx, attendanceNote, func(old []byte) ([]byte, error) {
		a = attendance{}
		if old != nil {
			if err := json.Unmarshal(old, &a); err != nil {
				return nil, fmt.Errorf("reading when the server was there: %w", err)
			}
		}
		a = a.seen(now, tolerated)
		return json.Marshal(a)
	})
	return a, err
}
