package backup

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"testing"

	"chancery/adapters/memory"
	"chancery/events"

	"github.com/google/go-cmp/cmp"
)

// ledger is a log of two games with n records in all.
func ledger(t *testing.T, n int) events.Log {
	t.Helper()
	log, revision := memory.New(), map[string]events.Revision{}
	for i := range n {
		game := []string{"one", "two"}[i%2]
		e := events.Entry{Game: game, Payload: fmt.Appendf(nil, `{"i":%d,"text":"<&>"}`, i), Cause: fmt.Sprintf("%064x", i)}
		if i < 2 {
			e.Sealed = "kid.box"
		}
		at, err := log.Append(t.Context(), revision[game], e)
		if err != nil {
			t.Fatal(err)
		}
		revision[game] = at
	}
	return log
}

func written(t *testing.T, log events.Log) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := Write(t.Context(), &b, log, nil, func(events.Position) {}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestABackupHoldsTheLedger(t *testing.T) {
	for _, n := range []int{0, 1, 2, 99} {
		log := ledger(t, n)
		file := written(t, log)
		if h, err := Check(bytes.NewReader(file)); err != nil || int(h.Records) != n {
			t.Errorf("%d records: %v, %v", n, h, err)
		}
		var got []events.Stored
		for s, err := range Records(bytes.NewReader(file)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, s)
		}
		if want := firstOf(t, log, n); !cmp.Equal(want, got) {
			t.Errorf("%d records: %s", n, cmp.Diff(want, got))
		}
	}
}

// What was signed comes back as it was, and was not asked for by older programs.
func TestWhatWasSigned(t *testing.T) {
	for _, signed := range []string{"", `{"origin":"a/<ledger>","signed":"a\n\n— a 1\n"}`} {
		var b bytes.Buffer
		if _, err := Write(t.Context(), &b, ledger(t, 3), []byte(signed), func(events.Position) {}); err != nil {
			t.Fatal(err)
		}
		h, err := Check(&b)
		if err != nil || string(h.Signed) != signed || h.Records != 3 {
			t.Errorf("%+v, %v; want %s", h, err, signed)
		}
	}
}

// firstOf is the first n records of the log.
func firstOf(t *testing.T, log events.Log, n int) (list []events.Stored) {
	t.Helper()
	if n == 0 {
		return nil
	}
	for s, err := range log.Follow(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		if list = append(list, s); len(list) == n {
			break
		}
	}
	return list
}

// Every way of spoiling a file is noticed.
func TestDamageIsNoticed(t *testing.T) {
	file := written(t, ledger(t, 20))
	text := unzip(t, file)
	lines := strings.SplitAfter(text, "\n")
	for name, spoiled := range map[string]string{
		"nothing in it":      "",
		"another version":    strings.Replace(text, `"chancery_backup":1`, `"chancery_backup":2`, 1),
		"a changed payload":  strings.Replace(text, `\"i\":7`, `\"i\":8`, 1),
		"a changed box":      strings.Replace(text, "kid.box", "kid.bax", 1),
		"a missing record":   strings.Join(append(append([]string{}, lines[:5]...), lines[6:]...), ""),
		"a doubled record":   strings.Join(append(append([]string{}, lines[:5]...), lines[4:]...), ""),
		"no end":             strings.Join(lines[:len(lines)-2], ""),
		"something behind":   text + "{}\n",
		"a record of no one": strings.Replace(text, `{"game":"one"`, `{"game":""`, 1),
		"no JSON":            strings.Replace(text, `{"game"`, `{game`, 1),
	} {
		if spoiled == text {
			t.Fatalf("%s: nothing was spoiled", name)
		}
		if _, err := Check(bytes.NewReader(zipped(t, spoiled))); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for cut := range file {
		if _, err := Check(bytes.NewReader(file[:cut])); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut off after %d of %d bytes: got %v", cut, len(file), err)
		}
	}
	for i := 10; i < len(file); i++ { // behind gzip's own header
		flipped := bytes.Clone(file)
		flipped[i] ^= 0x10
		_, err := Check(bytes.NewReader(flipped))
		padding := err == nil && unzip(t, flipped) == text // a bit of which gzip makes no use
		if !errors.Is(err, ErrDamaged) && !padding {
			t.Fatalf("byte %d flipped: got %v", i, err)
		}
	}
}

// gapLog has lost its third record.
type gapLog struct{ events.Log }

func (l gapLog) Follow(ctx context.Context, after events.Position) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for s, err := range l.Log.Follow(ctx, after) {
			if s.Position != 3 && !yield(s, err) {
				return
			}
		}
	}
}

func TestALedgerWithAHoleIsNoBackup(t *testing.T) {
	_, err := Write(t.Context(), io.Discard, gapLog{ledger(t, 5)}, nil, func(events.Position) {})
	if err == nil || !strings.Contains(err.Error(), "position 3") {
		t.Errorf("got %v", err)
	}
}

func unzip(t *testing.T, file []byte) string {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
