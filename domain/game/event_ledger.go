package game

// What concerns the whole ledger, in games whose ids begin with an underscore: the
// server's own, which nobody plays.
type (
	// LogKeyAdded says that checkpoints are signed with a further key from now on. It
	// is signed by the one before it.
	LogKeyAdded struct {
		Key string `json:"key"` // public: name, id and bytes
		Sig string `json:"sig"` // base64 of the old key's id and its signature
	}
)

func (LogKeyAdded) fact() {}

func (f LogKeyAdded) line(scene) string { return "The ledger has a new key: " + f.Key }
