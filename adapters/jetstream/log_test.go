package jetstream_test

import (
	"testing"

	"chancery/adapters/jetstream"
	"chancery/events"
	"chancery/events/logtest"

	"go.uber.org/goleak"
)

// TestMain finds goroutines that outlive the logs which began them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestEmbedded(t *testing.T) {
	logtest.Run(t, func(t *testing.T) events.Log { return open(t, jetstream.Embedded{Dir: t.TempDir()}) })
}

func TestLazy(t *testing.T) {
	logtest.Run(t, func(t *testing.T) events.Log { return open(t, jetstream.Embedded{Dir: t.TempDir(), Lazy: true}) })
}

func open(t testing.TB, c jetstream.Embedded) *jetstream.Log {
	t.Helper()
	log, err := jetstream.OpenEmbedded(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(log.Close)
	return log
}
