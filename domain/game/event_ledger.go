package game

import "strings"

// LedgerWide says that an id is of one of the ledger's own games, which nobody plays.
func LedgerWide(id string) bool { return strings.HasPrefix(id, "_") }

// What concerns the whole ledger, in games whose ids begin with an underscore: the
// server's own, which nobody plays.
type (
	// LogKeyAdded says that checkpoints are signed with a further key from now on. It
	// is signed by the one before it.
	LogKeyAdded struct {
		Key string `json:"key"` // public: name, id and bytes
		Sig string `json:"sig"` // base64 of the old key's id and its signature
	}

	// SoftwareReleased says which program the server hands out from now on under a name,
	// so that anybody can compare the one he was given.
	SoftwareReleased struct {
		Name   string `json:"name"`   // its path at the server, such as verify/page.mjs
		SHA256 string `json:"sha256"` // of its bytes, in 64 lowercase hexadecimal digits
	}
)

func (LogKeyAdded) fact()      {}
func (SoftwareReleased) fact() {}

func (f LogKeyAdded) line(scene) string { return "The ledger has a new key: " + f.Key }

func (f SoftwareReleased) line(scene) string {
	return "Released: " + f.Name + ", SHA-256 " + f.SHA256
}
