package tlog

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	merkle "golang.org/x/mod/sumdb/tlog"
)

// A Checkpoint says what a log's first Size records hash to. Signed, it is the log's
// promise never to take one of them back.
type Checkpoint struct {
	Origin string // the log's name, which is also the name of its keys
	Size   int64
	Root   merkle.Hash
}

// ErrCheckpoint says that bytes are no checkpoint.
var ErrCheckpoint = errors.New("this is no checkpoint of a ledger")

// Text is the body that is signed (C2SP tlog-checkpoint): origin, size and root, a line
// each.
func (c Checkpoint) Text() string {
	return c.Origin + "\n" + strconv.FormatInt(c.Size, 10) + "\n" + c.Root.String() + "\n"
}

// ParseCheckpoint reads a body. Lines behind the third are extensions, which say
// nothing here. The error is [ErrCheckpoint].
func ParseCheckpoint(text string) (Checkpoint, error) {
	lines := strings.Split(text, "\n")
	if len(lines) < 4 || lines[len(lines)-1] != "" || lines[0] == "" {
		return Checkpoint{}, fmt.Errorf("%w: it does not have its three lines", ErrCheckpoint)
	}
	size, err := parseSize(lines[1])
	if err != nil {
		return Checkpoint{}, err
	}
	root, err := parseHash(lines[2])
	if err != nil {
		return Checkpoint{}, err
	}
	for _, extension := range lines[3 : len(lines)-1] {
		if extension == "" {
			return Checkpoint{}, fmt.Errorf("%w: an extension line is empty", ErrCheckpoint)
		}
	}
	return Checkpoint{Origin: lines[0], Size: size, Root: root}, nil
}

// parseSize reads a number as it is always written, without a sign or leading zeros.
func parseSize(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || strconv.FormatInt(n, 10) != text {
		return 0, fmt.Errorf("%w: %.20q is no size", ErrCheckpoint, text)
	}
	return n, nil
}

// parseHash reads a hash in the one way in which it is written.
func parseHash(text string) (merkle.Hash, error) {
	b, err := base64.StdEncoding.Strict().DecodeString(text)
	if err != nil || len(b) != merkle.HashSize || base64.StdEncoding.EncodeToString(b) != text {
		return merkle.Hash{}, fmt.Errorf("%w: %.50q is no hash", ErrCheckpoint, text)
	}
	return merkle.Hash(b), nil
}

// OpenCheckpoint reads a signed checkpoint and gives the signatures on it by the known
// keys, at least one. Signatures of others are left out; a wrong signature in the name
// of a known key is an error.
func OpenCheckpoint(signed []byte, known ...note.Verifier) (Checkpoint, *note.Note, error) {
	n, err := note.Open(signed, note.VerifierList(known...))
	if err != nil {
		return Checkpoint{}, nil, fmt.Errorf("opening a checkpoint: %w", err)
	}
	c, err := ParseCheckpoint(n.Text)
	return c, n, err
}

// textOf is the body of a signed checkpoint, whoever signed it.
func textOf(signed string) (Checkpoint, error) {
	body, _, ok := strings.Cut(signed, "\n\n")
	if !ok {
		return Checkpoint{}, fmt.Errorf("%w: it is not signed", ErrCheckpoint)
	}
	return ParseCheckpoint(body + "\n")
}

// ParseAdd reads what a ledger sends to a witness: the size that the witness is thought
// to know, the proof that the checkpoint continues it, and the signed checkpoint.
func ParseAdd(body string) (old int64, proof merkle.TreeProof, signed string, err error) {
	head, signed, ok := strings.Cut(body, "\n\n")
	lines := strings.Split(head, "\n")
	size, there := strings.CutPrefix(lines[0], "old ")
	if !ok || !there {
		return 0, nil, "", fmt.Errorf("%w: it does not begin with an old size and a proof", ErrCheckpoint)
	}
	if old, err = parseSize(size); err != nil {
		return 0, nil, "", err
	}
	proof, err = parseHashes(lines[1:])
	return old, proof, signed, err
}
