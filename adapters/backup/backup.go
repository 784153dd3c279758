// Package backup is the file format of a ledger's backup: every record with its
// position and the sealed box beside it, in one checksummed file.
//
// A backup is gzip (RFC 1952) of lines of JSON. The first line is
//
//	{"chancery_backup":1,"records":N,"signed":{…}}
//
// where "signed" is what the ledger had signed last, as its note has it, and is left out
// where it had signed nothing; then comes one line a record, in the order of their positions from 1 to N,
//
//	{"game":"<id>","payload":"<the exact bytes>","position":7,"sealed":"<box>"}
//
// without "sealed" where there is none, and last a line with the SHA-256 of all bytes
// before it, uncompressed:
//
//	{"sha256":"<64 hex>"}
//
// Keys are not in it: with the keys beside the boxes, whoever finds a backup could
// read the cards of unfinished games. They are a small folder to be kept elsewhere.
package backup

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"unicode/utf8"

	"chancery/events"
)

// version of the format.
const version = 1

// maxLine is longer than any line: a payload, each character escaped at worst.
const maxLine = 8 * events.MaxPayload

// ErrDamaged says that a file is no backup, or not as it was written. Nothing of it may
// be restored.
var ErrDamaged = errors.New("the backup is damaged or is none")

// A Header is the first line.
type Header struct {
	Version int             `json:"chancery_backup"`
	Records events.Position `json:"records"` // how many, and the position of the last

	// Signed is the note about the newest signed checkpoint, which covers no more than
	// those records; nil where there is none.
	Signed json.RawMessage `json:"signed,omitempty"`
}

// line is the line of a record.
type line struct {
	Game     string          `json:"game"`
	Payload  string          `json:"payload"`
	Position events.Position `json:"position"`
	Sealed   string          `json:"sealed,omitempty"`
}

// trailer is the last line.
type trailer struct {
	SHA256 string `json:"sha256"`
}

// Write writes the records of the log up to the newest there is when it begins, and
// tells done after each. It returns how many there are. Signed is for the [Header], and
// was read before, or it might cover more than the records. Memory does not grow with the
// log.
func Write(ctx context.Context, out io.Writer, log events.Log, signed []byte, done func(events.Position)) (events.Position, error) {
	last, err := log.Last(ctx)
	if err != nil {
		return 0, err
	}
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		return 0, err
	}
	sum := sha256.New()
	w := json.NewEncoder(io.MultiWriter(zip, sum))
	w.SetEscapeHTML(false)
	if err := w.Encode(Header{Version: version, Records: last, Signed: signed}); err != nil {
		return 0, err
	}
	if err := writeRecords(ctx, w, log, last, done); err != nil {
		return 0, err
	}
	if err := w.Encode(trailer{SHA256: hex.EncodeToString(sum.Sum(nil))}); err != nil {
		return 0, err
	}
	return last, zip.Close()
}

func writeRecords(ctx context.Context, w *json.Encoder, log events.Log, last events.Position, done func(events.Position)) error {
	if last == 0 {
		return nil
	}
	next := events.Position(1)
	for s, err := range log.Follow(ctx, 0) {
		switch {
		case err != nil:
			return err
		case s.Position != next:
			return fmt.Errorf("position %d of the ledger is missing; take no new backup over an old one, and run chancery doctor --all", next)
		case !utf8.Valid(s.Payload):
			return fmt.Errorf("the record at position %d is damaged: it is no text", s.Position)
		}
		if err := w.Encode(line{s.Game, string(s.Payload), s.Position, s.Sealed}); err != nil {
			return err
		}
		done(next)
		if next == last {
			return nil
		}
		next++
	}
	return fmt.Errorf("the ledger ended before position %d", last)
}

// Records yields the records of a backup, in order. A fault is [ErrDamaged] and may be
// found only at the end, when others have been yielded: read the file once before
// believing it. See [Check].
func Records(in io.Reader) iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		r, err := newReader(in)
		if err != nil {
			yield(events.Stored{}, err)
			return
		}
		r.all()(yield)
	}
}

// all yields the records behind the header, and the fault at their end.
func (r *reader) all() iter.Seq2[events.Stored, error] {
	return func(yield func(events.Stored, error) bool) {
		for n := events.Position(1); n <= r.header.Records; n++ {
			s, err := r.record(n)
			if !yield(s, err) || err != nil {
				return
			}
		}
		if err := r.end(); err != nil {
			yield(events.Stored{}, err)
		}
	}
}

// Check reads a whole backup and returns its header, or [ErrDamaged].
func Check(in io.Reader) (Header, error) {
	r, err := newReader(in)
	if err != nil {
		return Header{}, err
	}
	for _, err := range r.all() {
		if err != nil {
			return Header{}, err
		}
	}
	return r.header, nil
}

type reader struct {
	header Header
	zip    *gzip.Reader
	lines  *bufio.Scanner
	sum    hash.Hash
}

func newReader(in io.Reader) (*reader, error) {
	zip, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	r := &reader{zip: zip, lines: bufio.NewScanner(zip), sum: sha256.New()}
	r.lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	if err := r.next(&r.header); err != nil {
		return nil, err
	}
	if r.header.Version != version {
		return nil, fmt.Errorf("%w: its format is %d and this program knows %d", ErrDamaged, r.header.Version, version)
	}
	return r, nil
}

// next decodes a line into v.
func (r *reader) next(v any) error {
	if !r.lines.Scan() {
		return fmt.Errorf("%w: it is cut off: %w", ErrDamaged, errors.Join(r.lines.Err(), io.ErrUnexpectedEOF))
	}
	r.sum.Write(r.lines.Bytes())
	r.sum.Write([]byte{'\n'})
	if err := json.Unmarshal(r.lines.Bytes(), v); err != nil {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return nil
}

func (r *reader) record(n events.Position) (events.Stored, error) {
	var l line
	if err := r.next(&l); err != nil {
		return events.Stored{}, err
	}
	if l.Position != n || l.Game == "" || l.Payload == "" {
		return events.Stored{}, fmt.Errorf("%w: record %d is not in its place", ErrDamaged, n)
	}
	return events.Stored{Game: l.Game, Position: n, Payload: []byte(l.Payload), Sealed: l.Sealed}, nil
}

// end checks the checksum, and that nothing follows.
func (r *reader) end() error {
	have := hex.EncodeToString(r.sum.Sum(nil))
	var t trailer
	if err := r.next(&t); err != nil {
		return err
	}
	switch {
	case t.SHA256 != have:
		return fmt.Errorf("%w: its checksum is not that of its content", ErrDamaged)
	case r.lines.Scan() || r.lines.Err() != nil:
		return fmt.Errorf("%w: something follows its end", ErrDamaged)
	}
	return nil
}
