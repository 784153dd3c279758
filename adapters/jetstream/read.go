package jetstream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"

	"chancery/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// singly is how many records are read one by one before a consumer is worth its price:
// it costs as much as a dozen of them, and each record then a third.
const singly = 12

// Read yields the records of a game, the first few asked for one by one, each by its
// subject behind the one before it, and a long rest through a consumer. (A batched get
// would hold the stream's lock and block its writers.) The end is what the leader says:
// another replica may not have heard of the newest.
func (l *Log) Read(ctx context.Context, game string, after events.Revision) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		r := reading{log: l, conn: l.connFor(game), game: game, after: after, yield: yield}
		for n := 0; !r.stopped; n++ {
			if n == singly {
				r.readOn(ctx)
				continue
			}
			next, ok, err := l.next(ctx, r.conn, game, r.after)
			if err == nil && !ok && l.replicas > 1 {
				next, ok, err = l.confirm(ctx, r.conn, game, r.after)
			}
			if err != nil {
				yield(events.Stored{}, err)
				return
			}
			if !ok {
				return
			}
			r.take(next)
		}
	}
}

// A reading is one call of Read.
type reading struct {
	log     *Log
	conn    conn
	game    string
	after   events.Revision
	yield   func(events.Stored, error) bool
	stopped bool // the reader has had enough

	delivered uint64 // by the consumer
}

func (r *reading) take(s events.Stored) {
	r.after = s.Position
	r.stopped = !r.yield(s, nil)
}

// readOn reads what is left through a consumer, as far as it gets. Whatever goes wrong,
// reading one by one goes on behind the last record that came.
func (r *reading) readOn(ctx context.Context) {
	c := consumerFrom(r.after)
	c.FilterSubject = subjectOf(r.game)
	consumer, err := r.conn.stream.CreateConsumer(ctx, c)
	if err != nil {
		return
	}
	defer deleteConsumer(r.conn, c.Name)
	for left := consumer.CachedInfo().NumPending; left > 0 && !r.stopped; {
		n := min(left, batch)
		got, err := consumer.Fetch(int(n), jetstream.FetchMaxWait(tryFor))
		if err != nil || !r.takeAll(got, n) {
			return
		}
		left -= n
	}
}

// takeAll takes the n records that come next and says whether all came.
func (r *reading) takeAll(got jetstream.MessageBatch, n uint64) bool {
	for m := range got.Messages() {
		meta, err := m.Metadata()
		if err != nil || r.stopped {
			return false
		}
		if r.delivered++; meta.Sequence.Consumer != r.delivered {
			return false // one was lost on the way
		}
		r.take(storedOf(m.Subject(), meta.Sequence.Stream, m.Headers(), m.Data()))
		n--
	}
	return n == 0
}

// next is the first record of the game behind after, as the nearest replica has it.
func (l *Log) next(ctx context.Context, c conn, game string, after events.Revision) (events.Stored, bool, error) {
	m, err := c.stream.GetMsg(ctx, uint64(after)+1, jetstream.WithGetMsgSubject(subjectOf(game)))
	switch {
	case errors.Is(err, jetstream.ErrMsgNotFound):
		return events.Stored{}, false, nil
	case err != nil:
		return events.Stored{}, false, unavailable(ctx, "reading game "+game, err)
	}
	return storedOf(m.Subject, m.Sequence, m.Header, m.Data), true, nil
}

// confirm is next as the leader has it.
func (l *Log) confirm(ctx context.Context, c conn, game string, after events.Revision) (events.Stored, bool, error) {
	if l.replicas == 1 {
		return l.next(ctx, c, game, after)
	}
	stored, ok, err := leaderNext(ctx, c, subjectOf(game), uint64(after)+1)
	if err != nil {
		err = unavailable(ctx, "reading game "+game, err)
	}
	return stored, ok, err
}

// leaderNext asks the leader of the stream, and nobody else, for the first message of
// the subject from a sequence on. Package jetstream would ask any replica.
func leaderNext(ctx context.Context, c conn, subject string, from uint64) (events.Stored, bool, error) {
	ask, err := json.Marshal(map[string]any{"seq": from, "next_by_subj": subject})
	if err != nil {
		return events.Stored{}, false, err
	}
	ctx, cancel := context.WithTimeout(ctx, tryFor)
	defer cancel()
	m, err := c.nats.RequestWithContext(ctx, "$JS.API.STREAM.MSG.GET."+streamName, ask)
	if err != nil {
		return events.Stored{}, false, err
	}
	var answer struct {
		Error   *jetstream.APIError `json:"error"`
		Message *struct {
			Subject  string `json:"subject"`
			Sequence uint64 `json:"seq"`
			Header   []byte `json:"hdrs"`
			Data     []byte `json:"data"`
		} `json:"message"`
	}
	err = json.Unmarshal(m.Data, &answer)
	switch {
	case err != nil:
		return events.Stored{}, false, fmt.Errorf("the broker's answer: %w", err)
	case answer.Error != nil && answer.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return events.Stored{}, false, nil
	case answer.Error != nil:
		return events.Stored{}, false, answer.Error
	case answer.Message == nil:
		return events.Stored{}, false, errors.New("the broker's answer holds no message")
	}
	header, err := headerOf(answer.Message.Header)
	return storedOf(answer.Message.Subject, answer.Message.Sequence, header, answer.Message.Data), true, err
}

func headerOf(b []byte) (nats.Header, error) {
	if len(b) == 0 {
		return nil, nil
	}
	return nats.DecodeHeadersMsg(b)
}
