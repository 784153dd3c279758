package jetstream_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"chancery/adapters/jetstream"
	"chancery/domain/fair"
	"chancery/events"

	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
)

// payload is as long as the record of a move usually is.
var payload = []byte(`{"pad":"` + strings.Repeat("x", 440) + `"}`)

// BenchmarkAppend compares raw publishes with an expected sequence to Log.Append, on
// the same broker at the same durability, from 1, 16 and 64 games at once.
func BenchmarkAppend(b *testing.B) {
	for _, lazy := range []bool{false, true} {
		log := open(b, jetstream.Embedded{Dir: b.TempDir(), Lazy: lazy})
		durability := map[bool]string{false: "synced", true: "lazy"}[lazy]
		for _, games := range []int{1, 16, 64} {
			b.Run(fmt.Sprintf("%s/raw/%d", durability, games), func(b *testing.B) {
				write(b, games, rawWriter(b, log))
			})
			b.Run(fmt.Sprintf("%s/log/%d", durability, games), func(b *testing.B) {
				write(b, games, func(ctx context.Context, game string, i int, at events.Revision) (events.Revision, error) {
					return log.Append(ctx, at, events.Entry{
						Game: game, Payload: payload, Cause: fair.Cause(game, fmt.Sprint(i)).String(), Rules: "chess/1", Types: []string{"MovePlayed"},
					})
				})
			})
		}
	}
}

type writer func(ctx context.Context, game string, i int, at events.Revision) (events.Revision, error)

// rawWriter publishes as fast as the client library can, over as many connections as
// there are games, up to eight.
func rawWriter(b *testing.B, log *jetstream.Log) writer {
	streams := make([]natsjs.JetStream, 8)
	for i := range streams {
		js, err := natsjs.New(log.Conns()[i])
		if err != nil {
			b.Fatal(err)
		}
		streams[i] = js
	}
	return func(ctx context.Context, game string, _ int, at events.Revision) (events.Revision, error) {
		js := streams[int(fair.Cause(game, "")[0])%8]
		ack, err := js.PublishMsg(ctx, &nats.Msg{Subject: "game." + game, Data: payload}, natsjs.WithExpectLastSequencePerSubject(uint64(at)))
		if err != nil {
			return 0, err
		}
		return events.Revision(ack.Sequence), nil
	}
}

var runs atomic.Int64

func write(b *testing.B, games int, w writer) {
	run := runs.Add(1)
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ResetTimer()
	var wg sync.WaitGroup
	for g := range games {
		wg.Go(func() {
			game := fmt.Sprintf("bench-%d-%d", run, g)
			var at events.Revision
			for i := 0; left.Add(-1) >= 0; i++ {
				var err error
				if at, err = w(b.Context(), game, i, at); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkRead loads games of 200 records, without decoding, out of a ledger of a
// million in which 64 games were played at a time. The broker keeps records in blocks
// of some 14,000 and forgets those not read for a while: "cold" games lie all over the
// ledger, "warm" ones in blocks that were just read.
func BenchmarkRead(b *testing.B) {
	log := open(b, jetstream.Embedded{Dir: b.TempDir(), Lazy: true})
	const games, records = 5000, 200
	fill(b, log, games, records)
	for name, stride := range map[string]int{"cold": 997, "warm": 0} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				n := 0
				for _, err := range log.Read(b.Context(), fmt.Sprint("fill-", (i+1)*stride%games), 0) {
					if err != nil {
						b.Fatal(err)
					}
					n++
				}
				if n != records {
					b.Fatalf("%d records", n)
				}
			}
		})
	}
}

// fill plays so many games, 64 at a time.
func fill(b *testing.B, log *jetstream.Log, games, records int) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for g := next.Add(1) - 1; int(g) < games; g = next.Add(1) - 1 {
				game := fmt.Sprint("fill-", g)
				var at events.Revision
				for i := range records {
					var err error
					at, err = log.Append(b.Context(), at, events.Entry{Game: game, Payload: payload, Cause: fair.Cause(game, fmt.Sprint(i)).String()})
					if err != nil {
						b.Error(err)
						return
					}
				}
			}
		})
	}
	wg.Wait()
}
