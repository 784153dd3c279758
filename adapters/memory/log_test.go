package memory_test

import (
	"testing"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/events/logtest"

	"go.uber.org/goleak"
)

// TestMain finds goroutines that outlive the logs which began them.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestLog(t *testing.T) {
	logtest.Run(t, func(*testing.T) events.Log { return memory.New() })
}
