package jetstream

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"chancery/events"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// duplicateWindow is how long the broker knows a message again by its cause: longer
// than Append tries, and no longer, because each takes memory. That nothing is stored
// twice does not hang on it, but on the expected revision.
const duplicateWindow = 20 * time.Second

// maxMessage is the largest record and its headers.
const maxMessage = events.MaxPayload + 8<<10

const (
	durabilityKey    = "chancery.durability"
	durabilitySynced = "synced"
	durabilityLazy   = "lazy"
)

// streamConfig is how the ledger is kept: for ever, whole, and closed to deletion.
func streamConfig(replicas int, lazy bool) jetstream.StreamConfig {
	durability := durabilitySynced
	if lazy {
		durability = durabilityLazy
	}
	return jetstream.StreamConfig{
		Name:              streamName,
		Description:       "The ledger of Chancery. Never delete, purge or edit it.",
		Subjects:          []string{subjectPrefix + "*"},
		Storage:           jetstream.FileStorage,
		Retention:         jetstream.LimitsPolicy,
		Discard:           jetstream.DiscardNew,
		MaxConsumers:      -1,
		MaxMsgs:           -1,
		MaxBytes:          -1,
		MaxMsgsPerSubject: -1,
		MaxMsgSize:        maxMessage,
		Replicas:          replicas,
		Duplicates:        duplicateWindow,
		DenyDelete:        true,
		DenyPurge:         true,
		AllowDirect:       true,
		Compression:       jetstream.S2Compression,
		Metadata:          map[string]string{durabilityKey: durability},
	}
}

// kept lists what of a configuration makes the ledger what it is, in the words of the
// nats tool. The rest (description, placement, limits of consumers) is the operator's.
var kept = []struct {
	name string
	of   func(jetstream.StreamConfig) any
}{
	{"subjects", func(c jetstream.StreamConfig) any { return c.Subjects }},
	{"storage", func(c jetstream.StreamConfig) any { return c.Storage.String() }},
	{"retention", func(c jetstream.StreamConfig) any { return c.Retention.String() }},
	{"discard", func(c jetstream.StreamConfig) any { return c.Discard.String() }},
	{"discard_new_per_subject", func(c jetstream.StreamConfig) any { return c.DiscardNewPerSubject }},
	{"max_msgs", func(c jetstream.StreamConfig) any { return c.MaxMsgs }},
	{"max_bytes", func(c jetstream.StreamConfig) any { return c.MaxBytes }},
	{"max_age", func(c jetstream.StreamConfig) any { return c.MaxAge }},
	{"max_msgs_per_subject", func(c jetstream.StreamConfig) any { return c.MaxMsgsPerSubject }},
	{"max_msg_size", func(c jetstream.StreamConfig) any { return c.MaxMsgSize }},
	{"num_replicas", func(c jetstream.StreamConfig) any { return c.Replicas }},
	{"no_ack", func(c jetstream.StreamConfig) any { return c.NoAck }},
	{"duplicate_window", func(c jetstream.StreamConfig) any { return c.Duplicates }},
	{"mirror", func(c jetstream.StreamConfig) any { return c.Mirror != nil }},
	{"sources", func(c jetstream.StreamConfig) any { return len(c.Sources) }},
	{"sealed", func(c jetstream.StreamConfig) any { return c.Sealed }},
	{"deny_delete", func(c jetstream.StreamConfig) any { return c.DenyDelete }},
	{"deny_purge", func(c jetstream.StreamConfig) any { return c.DenyPurge }},
	{"allow_rollup_hdrs", func(c jetstream.StreamConfig) any { return c.AllowRollup }},
	{"compression", func(c jetstream.StreamConfig) any { return c.Compression.String() }},
	{"first_seq", func(c jetstream.StreamConfig) any { return max(c.FirstSeq, 1) }},
	{"subject_transform", func(c jetstream.StreamConfig) any { return c.SubjectTransform != nil }},
	{"republish", func(c jetstream.StreamConfig) any { return c.RePublish != nil }},
	{"allow_direct", func(c jetstream.StreamConfig) any { return c.AllowDirect }},
	{"allow_msg_ttl", func(c jetstream.StreamConfig) any { return c.AllowMsgTTL }},
	{"subject_delete_marker_ttl", func(c jetstream.StreamConfig) any { return c.SubjectDeleteMarkerTTL }},
	{"allow_msg_counter", func(c jetstream.StreamConfig) any { return c.AllowMsgCounter }},
	{"allow_msg_schedules", func(c jetstream.StreamConfig) any { return c.AllowMsgSchedules }},
	{"persist_mode", func(c jetstream.StreamConfig) any { return c.PersistMode }},
	{durabilityKey, func(c jetstream.StreamConfig) any { return c.Metadata[durabilityKey] }},
}

// A Drift is one setting of the stream that is not as the ledger needs it.
type Drift struct{ Name, Want, Have string }

// A DriftError says that the stream exists with other settings. Nothing is changed.
type DriftError struct{ Drifts []Drift }

// Error lists every difference and says what to do.
func (e *DriftError) Error() string {
	if why := e.otherDurability(); why != "" {
		return why
	}
	list := make([]string, len(e.Drifts))
	for i, d := range e.Drifts {
		list[i] = fmt.Sprintf("%s is %s and must be %s", d.Name, d.Have, d.Want)
		if d.Name == durabilityKey {
			list[i] += " (open a ledger as it was created: --lazy or not)"
		}
	}
	return "the stream " + streamName + " is not set up as the ledger needs it: " + strings.Join(list, "; ") +
		"; let an administrator set it right with `nats stream edit`, or restore a backup into a new ledger"
}

// otherDurability is what to do about a ledger that differs in nothing but how it was
// said to be opened; empty for any other.
func (e *DriftError) otherDurability() string {
	if len(e.Drifts) != 1 || e.Drifts[0].Name != durabilityKey {
		return ""
	}
	switch e.Drifts[0].Have {
	case durabilityLazy:
		return "the ledger was made with --lazy, as a throwaway one: open it with --lazy, too"
	case durabilitySynced:
		return "the ledger was made without --lazy: open it without --lazy, too"
	}
	return ""
}

// driftOf compares what is with what must be; nil where nothing differs.
func driftOf(have, want jetstream.StreamConfig) error {
	var drifts []Drift
	for _, k := range kept {
		if h, w := k.of(have), k.of(want); !reflect.DeepEqual(h, w) {
			drifts = append(drifts, Drift{Name: k.name, Have: fmt.Sprint(h), Want: fmt.Sprint(w)})
		}
	}
	if drifts == nil {
		return nil
	}
	return &DriftError{Drifts: drifts}
}

// checkStream refuses a stream that is not as want, without touching it.
func checkStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) error {
	s, err := js.Stream(ctx, streamName)
	if err != nil {
		return err
	}
	return driftOf(s.CachedInfo().Config, want)
}

// createStream makes the stream where there is none, and checks the one there is.
func createStream(ctx context.Context, js jetstream.JetStream, want jetstream.StreamConfig) error {
	err := checkStream(ctx, js, want)
	if !errors.Is(err, jetstream.ErrStreamNotFound) {
		return err
	}
	if err := testExpectations(ctx, js); err != nil {
		return err
	}
	if _, err := js.CreateStream(ctx, want); err != nil {
		return fmt.Errorf("creating the stream %s: %w", streamName, err)
	}
	return checkStream(ctx, js, want)
}

// ErrBroker says that the broker does not keep a promise the ledger stands on.
var ErrBroker = errors.New("this NATS server does not check the expected sequence of a subject; use nats-server 2.12 or later")

// testExpectations proves on a scratch stream that the broker compares the expected
// sequence with the last message of the subject, and not of the whole stream.
func testExpectations(ctx context.Context, js jetstream.JetStream) error {
	name := "SELFTEST_" + rand.Text()
	prefix := "chancery.selftest." + name + "."
	_, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: name, Subjects: []string{prefix + "*"}, Storage: jetstream.MemoryStorage})
	if err != nil {
		return fmt.Errorf("creating a scratch stream: %w", err)
	}
	defer deleteScratch(js, name)
	for _, step := range []struct {
		subject  string
		expected uint64
		stored   bool
	}{
		{"a", 0, true}, {"b", 0, true}, {"b", 1, false}, {"a", 2, false}, {"a", 1, true}, {"a", 1, false}, {"b", 2, true},
	} {
		_, err := js.Publish(ctx, prefix+step.subject, nil, jetstream.WithExpectLastSequencePerSubject(step.expected))
		switch {
		case err != nil && codeOf(err) == 0:
			return fmt.Errorf("trying the broker: %w", err)
		case (err == nil) != step.stored:
			return ErrBroker
		}
	}
	return nil
}

func deleteScratch(js jetstream.JetStream, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), tryFor)
	defer cancel()
	_ = js.DeleteStream(ctx, name) // it is in memory and empty but for a few bytes
}

// refusesWrong proves on the ledger itself, which stays as it is, that a wrong
// expectation is refused: the number is one that no stream will reach.
func refusesWrong(ctx context.Context, js jetstream.JetStream) error {
	_, err := js.PublishMsg(ctx, &nats.Msg{Subject: subjectOf("_selftest")}, jetstream.WithExpectLastSequencePerSubject(1<<53))
	switch codeOf(err) {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return nil
	}
	if err == nil {
		return ErrBroker
	}
	return unavailable(ctx, "trying the broker", err)
}
