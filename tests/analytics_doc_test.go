package tests

import (
	"regexp"
	"strings"
	"testing"
)

// What docs/analytics.md shows of the consumer is what stands there.
func TestConsumerAsShown(t *testing.T) {
	program := readText(t, "../docs/examples/consumer/main.go")
	shown := regexp.MustCompile("(?s)```go\n(.*?)```").FindAllStringSubmatch(readText(t, "../docs/analytics.md"), -1)
	if len(shown) == 0 {
		t.Fatal("nothing is shown")
	}
	for _, block := range shown {
		if !strings.Contains(program, block[1]) {
			t.Errorf("this is not in the program:\n%s", block[1])
		}
	}
}
