// Command consumer copies the public events of Chancery into a file, one a line: the
// place in the stream, the id of the event, its type, its data. It may be killed at any
// moment and started again: what is in the file says where to go on.
//
//	consumer nats://localhost:4222 events.tsv
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 3 {
		log.Fatal("usage: consumer NATS-URL FILE")
	}
	if err := run(ctx, os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url, path string) error {
	out, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	defer out.Close()
	last, err := resume(out)
	if err != nil {
		return err
	}
	nc, err := nats.Connect(url, nats.MaxReconnects(-1), nats.RetryOnFailedConnect(true))
	if err != nil {
		return err
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	// An ordered consumer keeps nothing at the broker: the position is ours, and goes
	// where the events go. So neither can be there without the other.
	feed, err := js.OrderedConsumer(ctx, "FEED", jetstream.OrderedConsumerConfig{
		FilterSubjects: []string{"feed.>"}, // or feed.unochess.>, or feed.*.GameEnded.*
		DeliverPolicy:  jetstream.DeliverByStartSequencePolicy, OptStartSeq: last + 1,
	})
	if err != nil {
		return err
	}
	messages, err := feed.Messages()
	if err != nil {
		return err
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		h := m.Headers()
		if _, err := fmt.Fprintf(out, "%d\t%s\t%s\t%s\n", meta.Sequence.Stream, h.Get("ce-id"), h.Get("ce-type"), m.Data()); err != nil {
			return err
		}
	}
}

// resume finds the last whole line, cuts off what is behind it, and says which place in
// the stream it holds.
func resume(out *os.File) (last uint64, err error) {
	var size int64
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if errors.Is(err, io.EOF) {
			break // a line without its end was being written
		}
		if err != nil {
			return 0, err
		}
		if _, err := fmt.Sscanf(line, "%d", &last); err != nil {
			return 0, fmt.Errorf("%s is not a file of ours: %w", out.Name(), err)
		}
		size += int64(len(line))
	}
	if err := out.Truncate(size); err != nil {
		return 0, err
	}
	_, err = out.Seek(size, io.SeekStart)
	return last, err
}
