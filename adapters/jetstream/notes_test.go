package jetstream

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"
)

// Many who count on the same note at once lose no count.
func TestNotes(t *testing.T) {
	ctx := t.Context()
	l, err := OpenEmbedded(ctx, Embedded{Dir: t.TempDir(), Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			n, err := l.Notes(ctx)
			if err != nil {
				t.Error(err)
				return
			}
			for range 5 {
				if err := n.Update(ctx, "count", increment); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()

	n, err := l.Notes(ctx)
	if err != nil {
		t.Fatal(err)
	}
	refused := errors.New("refused")
	err = n.Update(ctx, "count", func(old []byte) ([]byte, error) {
		if string(old) != "20" {
			t.Errorf("counted %s, want 20", old)
		}
		return []byte("0"), refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("an edit that fails: %v", err)
	}
	if err := n.Update(ctx, "count", func(old []byte) ([]byte, error) {
		if string(old) != "20" {
			t.Errorf("a failed edit left %s", old)
		}
		return nil, nil
	}); err != nil {
		t.Error(err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := n.Update(stopped, "count", increment); !errors.Is(err, context.Canceled) {
		t.Errorf("after the context's end: %v", err)
	}
}

func increment(old []byte) ([]byte, error) {
	n := 0
	if old != nil {
		var err error
		if n, err = strconv.Atoi(string(old)); err != nil {
			return nil, err
		}
	}
	return []byte(strconv.Itoa(n + 1)), nil
}
