package events

import (
	"testing"
	"time"

	"chancery/domain/game"
)

// FuzzInstant holds that a time is read as the standard library reads it, and only if
// that would write it again the same.
func FuzzInstant(f *testing.F) {
	for _, text := range []string{
		"2026-11-29T20:00:05.000Z", "2024-02-29T23:59:59.999Z", "2026-02-29T00:00:00.000Z", "2026-13-01T00:00:00.000Z", "2026-00-10T00:00:00.000Z",
		"2026-01-00T00:00:00.000Z", "2026-01-01T24:00:00.000Z", "2026-01-01T00:60:00.000Z", "2026-01-01T00:00:60.000Z", "0000-01-01T00:00:00.000Z",
		"2026-11-29t20:00:05.000Z", "2026-11-29T20:00:05,000Z", "2026-11-29T20:00:05.000+", "2026-11-29T20:00:05Z", "+026-11-29T20:00:05.000Z", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, err := time.Parse(atLayout, text)
		good := err == nil && want.Format(atLayout) == text
		at, ok := instantOf([]byte(text))
		if ok != good || ok && at != game.Instant(want.UnixMilli()) {
			t.Errorf("%q: %d, %t; want %v, %t", text, at, ok, want, good)
		}
	})
}
