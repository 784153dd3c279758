package keys

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"chancery/domain/fair"
)

// Both is how long a ledger's checkpoints bear the signatures of the old and of the new
// key after a rotation, so that who trusts the old one learns of the new one in time.
const Both = 30 * 24 * time.Hour

const (
	logPrefix = "log-"
	logStamp  = "20060102T150405Z" // names a log key after when it was made, so that they sort by age
)

// A LogKey signs the checkpoints of a ledger under the ledger's name. However it is
// printed it shows its public part only.
type LogKey struct {
	Made    time.Time
	name    string
	private ed25519.PrivateKey
}

// LogKeys are the keys that sign a ledger's checkpoints now, the newest first: that one,
// and those that are not yet replaced for longer than [Both].
func (r *Ring) LogKeys(origin string, now time.Time) []LogKey {
	all := r.AllLogKeys(origin)
	for i := 1; i < len(all); i++ {
		if now.Sub(all[i-1].Made) > Both {
			return all[:i]
		}
	}
	return all
}

// AllLogKeys are all keys that have signed checkpoints and are still there, the newest
// first.
func (r *Ring) AllLogKeys(origin string) []LogKey {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var list []LogKey
	for i := len(r.log) - 1; i >= 0; i-- {
		made, _ := time.Parse(logStamp, r.log[i].name) // reload reads no others
		list = append(list, LogKey{Made: made, name: origin, private: ed25519.NewKeyFromSeed(r.log[i].seed[:])})
	}
	return list
}

// Name is the ledger's name.
func (k LogKey) Name() string { return k.name }

// KeyHash is the id of the key within signed notes.
func (k LogKey) KeyHash() uint32 {
	sum := sha256.Sum256(append([]byte(k.name+"\n"), k.typed()...))
	return binary.BigEndian.Uint32(sum[:])
}

// typed is the public key behind the byte that says what it is: Ed25519.
func (k LogKey) typed() []byte {
	return append([]byte{1}, k.private.Public().(ed25519.PublicKey)...)
}

// Sign signs the text of a note.
func (k LogKey) Sign(text []byte) ([]byte, error) { return ed25519.Sign(k.private, text), nil }

// Public is the key as verifiers take it: name, id and bytes.
func (k LogKey) Public() string {
	return fmt.Sprintf("%s+%08x+%s", k.name, k.KeyHash(), base64.StdEncoding.EncodeToString(k.typed()))
}

// Format shows the public key, whatever the verb.
func (k LogKey) Format(f fmt.State, _ rune) { fmt.Fprint(f, k.Public()) }

var _ note.Signer = LogKey{}

// A logSeed is what a log key is made of, and the name of its file.
type logSeed struct {
	name string
	seed fair.Master // 32 bytes that print nothing
}

// stampOf is the name of a log key's file without what all have.
func stampOf(file string) (stamp string, ok bool) {
	stamp, ok = strings.CutPrefix(file, logPrefix)
	if !ok {
		return "", false
	}
	stamp, ok = strings.CutSuffix(stamp, keySuffix)
	_, err := time.Parse(logStamp, stamp)
	return stamp, ok && err == nil
}
