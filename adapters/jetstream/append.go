package jetstream

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"chancery/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// How long Append tries. A cluster needs a few seconds to choose a new leader.
const (
	tryFor     = 2 * time.Second  // one answer of the broker
	patience   = 15 * time.Second // all tries together
	firstPause = 2 * time.Millisecond
	longPause  = 250 * time.Millisecond
	resends    = 4 // after the broker says no and the leader shows no reason
)

// What the broker answers besides those codes that package jetstream names.
const codeDuplicateInProcess jetstream.ErrorCode = 10158 // the same message is on its way

// Append publishes the entry with the expected revision. Whatever answer is not a
// clear yes is settled by reading what stands behind that revision: this very record
// means yes, another a conflict, none that the message is sent again, unchanged. So
// nothing is stored twice, and nothing is called stored that is not.
func (l *Log) Append(ctx context.Context, expected events.Revision, e events.Entry) (events.Revision, error) {
	if len(e.Payload) == 0 || len(e.Payload) > events.MaxPayload {
		return 0, fmt.Errorf("appending %d bytes: %w", len(e.Payload), events.ErrPayload)
	}
	a := appending{log: l, conn: l.connFor(e.Game), expected: expected, entry: e, msg: message(expected, e), pause: firstPause}
	giveUp := time.Now().Add(patience)
	for {
		position, again, err := a.try(ctx)
		if !again {
			return position, err
		}
		if ctx.Err() != nil || a.conn.nats.IsClosed() || time.Now().After(giveUp) {
			return 0, unavailable(ctx, "appending to game "+e.Game, err)
		}
		a.wait(ctx)
	}
}

func message(expected events.Revision, e events.Entry) *nats.Msg {
	h := nats.Header{
		jetstream.MsgIDHeader:               {e.Cause},
		jetstream.ExpectedLastSubjSeqHeader: {strconv.FormatUint(uint64(expected), 10)},
		headerTypes:                         {strings.Join(e.Types, ",")},
	}
	for key, value := range map[string]string{headerRules: e.Rules, headerSealed: e.Sealed, headerTrace: e.Trace} {
		if value != "" {
			h[key] = []string{value}
		}
	}
	return &nats.Msg{Subject: subjectOf(e.Game), Header: h, Data: e.Payload}
}

// An appending is one call of Append: the message, and how its tries went.
type appending struct {
	log      *Log
	conn     conn
	expected events.Revision
	entry    events.Entry
	msg      *nats.Msg
	pause    time.Duration
	refusals int // the broker said that the game is elsewhere
}

// try sends the message once and settles the answer. Again means that it must be sent
// again, because of err.
func (a *appending) try(ctx context.Context) (position events.Revision, again bool, err error) {
	ack, err := a.publish(ctx)
	if err == nil && !ack.Duplicate {
		return events.Revision(ack.Sequence), false, nil
	}
	if a.spurious(err) {
		return 0, true, err
	}
	found, ok, lookErr := a.log.confirm(ctx, a.conn, a.entry.Game, a.expected)
	switch {
	case lookErr != nil:
		return 0, true, lookErr
	case ok && bytes.Equal(found.Payload, a.entry.Payload):
		return found.Position, false, nil
	case ok, err == nil, a.settled(err):
		return 0, false, fmt.Errorf("game %s, expected at %d: %w", a.entry.Game, a.expected, events.ErrConflict)
	case codeOf(err) == jetstream.JSErrCodeStreamMessageExceedsMaximum:
		return 0, false, fmt.Errorf("appending to game %s: %w: %w", a.entry.Game, events.ErrPayload, err)
	case codeOf(err) != 0 && a.log.replicas == 1:
		return 0, false, unavailable(ctx, "appending to game "+a.entry.Game, err) // its only node cannot store
	}
	return 0, true, err
}

func (a *appending) publish(ctx context.Context) (*jetstream.PubAck, error) {
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	return a.conn.js.PublishMsg(ctx, a.msg, jetstream.WithRetryAttempts(0))
}

// spurious says that the broker's no may be no answer to the question asked. With
// several replicas the leader refuses whatever meets another message of the game on
// its way, and that other one may be an earlier try of this one.
func (a *appending) spurious(err error) bool {
	switch codeOf(err) {
	case jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		a.refusals++
		return a.refusals == 1
	case codeDuplicateInProcess:
		a.refusals++
		return a.refusals <= resends
	}
	return false
}

// settled says that a wrong sequence with no record behind it is final: the game ends
// before the expected revision. A single node knows; of several the one asked may have
// been behind, so the message is sent again a few times.
func (a *appending) settled(err error) bool {
	switch codeOf(err) {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		a.refusals++
		return a.log.replicas == 1 || a.refusals > resends
	}
	return false
}

// wait lets a little time pass, and more each time.
func (a *appending) wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(a.pause):
	}
	a.pause = min(2*a.pause, longPause)
}
