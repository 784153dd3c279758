package pgn

import (
	"io"
	"strings"
	"testing"

	"chancery/domain/game"
)

func BenchmarkWrite(b *testing.B) {
	for _, v := range game.Variants() {
		b.Run(v.Key, func(b *testing.B) {
			g := anyGame(b, v, 5, 120)
			b.ReportAllocs()
			for b.Loop() {
				if err := Write(io.Discard, g.s, g.history, "?"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRead(b *testing.B) {
	for _, v := range game.Variants() {
		b.Run(v.Key, func(b *testing.B) {
			g := anyGame(b, v, 5, 120)
			text := write(b, g.s, g.history)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := NewReader(strings.NewReader(text)).Next(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
