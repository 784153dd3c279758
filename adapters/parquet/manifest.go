package parquet

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"chancery/events"
	"chancery/projections"
)

// Schema is the version of the tables: their columns and what they mean. A folder holds
// one version.
const Schema = 1

// manifestName is the file that says what a folder holds.
const manifestName = "manifest.json"

// A Manifest says what a folder of tables holds.
type Manifest struct {
	Schema   int             `json:"schema"`
	Position events.Position `json:"position"`       // of the newest record
	Hash     string          `json:"hash,omitempty"` // of that record: another ledger is found out
	Block    int             `json:"block"`          // records in a file, whatever its partition
}

// ErrSchema says that a folder was written by a version with other tables.
var ErrSchema = errors.New("the folder holds tables of another version; export into an empty one")

// readManifest is what the folder holds; nothing where there is no such folder.
func readManifest(dir string, block int) (m Manifest, err error) {
	text, err := os.ReadFile(filepath.Join(dir, manifestName))
	if errors.Is(err, fs.ErrNotExist) {
		return Manifest{Schema: Schema, Block: block}, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("reading what %s holds: %w", dir, err)
	}
	if m.Schema != Schema || m.Block != block {
		return m, fmt.Errorf("%s: %w", dir, ErrSchema)
	}
	return m, nil
}

// checkpoint is where the folder stands.
func (m Manifest) checkpoint() (c projections.Checkpoint, err error) {
	if c.Position = m.Position; c.Position > 0 {
		err = c.Hash.UnmarshalText([]byte(m.Hash))
	}
	return c, err
}

// writeJSON replaces a file of the folder whole.
func writeJSON(dir, name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	f, err := os.Create(path + temporary)
	if err != nil {
		return fmt.Errorf("beginning %s: %w", path, err)
	}
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(path+temporary, path)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
