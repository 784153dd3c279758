package memory_test

import (
	"testing"

	"chancery/adapters/memory"
	"chancery/events"
	"chancery/events/logtest"
)

func TestLog(t *testing.T) {
	logtest.Run(t, func(*testing.T) events.Log { return memory.New() })
}
