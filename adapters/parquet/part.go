package parquet

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// rowGroup is how many rows are in memory for each file that is being written.
const rowGroup = 8192

// temporary is the end of the names of files that are not whole yet.
const temporary = ".part"

// options are the same for every file, so that rows alone decide about its bytes.
func options() []parquet.WriterOption {
	return []parquet.WriterOption{
		parquet.Compression(&parquet.Zstd), parquet.MaxRowsPerRowGroup(rowGroup), parquet.PageBufferSize(64 << 10),
		parquet.CreatedBy("chancery", "", ""), parquet.KeyValueMetadata("chancery.schema", fmt.Sprint(Schema)),
	}
}

// A part is one file of a table on its way. Its rows go to a temporary file until all
// parts of a block are whole.
type part[T any] struct {
	path string
	file *os.File
	out  *parquet.GenericWriter[T]
	one  [1]T
}

func newPart[T any](path string) (*part[T], error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	f, err := os.Create(path + temporary)
	if err != nil {
		return nil, err
	}
	return &part[T]{path: path, file: f, out: parquet.NewGenericWriter[T](f, options()...)}, nil
}

// write adds a row. Rows are written one by one everywhere, so that they alone decide
// about the bytes.
func (p *part[T]) write(row T) error {
	p.one[0] = row
	if _, err := p.out.Write(p.one[:]); err != nil {
		return fmt.Errorf("writing %s: %w", p.path, err)
	}
	return nil
}

// finish makes the temporary file whole and lasting.
func (p *part[T]) finish() error {
	err := errors.Join(p.out.Close(), p.file.Sync(), p.file.Close())
	if err != nil {
		return fmt.Errorf("writing %s: %w", p.path, err)
	}
	return nil
}

// publish puts the file in its place.
func (p *part[T]) publish() error { return os.Rename(p.path+temporary, p.path) }

// discard throws an unfinished file away. It does nothing to one that was published.
func (p *part[T]) discard() {
	p.file.Close()
	_ = os.Remove(p.path + temporary) // or the next export writes over it
}

// A table is the parts of one block of a table, one for each partition.
type table[T any] struct {
	dir   string
	block uint64
	parts map[string]*part[T]
	order []string
}

func newTable[T any](dir, name string, block uint64) *table[T] {
	return &table[T]{dir: filepath.Join(dir, name), block: block, parts: map[string]*part[T]{}}
}

// add writes a row into its partition.
func (t *table[T]) add(p partition, row T) error {
	path := t.path(p, t.block)
	out, known := t.parts[path]
	if !known {
		var err error
		if out, err = newPart[T](path); err != nil {
			return fmt.Errorf("beginning %s: %w", path, err)
		}
		t.parts[path] = out
		t.order = append(t.order, path)
	}
	return out.write(row)
}

// path is the file of a block in a partition.
func (t *table[T]) path(p partition, block uint64) string {
	return filepath.Join(t.dir, p.String(), fmt.Sprintf("%012d.parquet", block))
}

func (t *table[T]) finish() error  { return t.each((*part[T]).finish) }
func (t *table[T]) publish() error { return t.each((*part[T]).publish) }

func (t *table[T]) each(do func(*part[T]) error) error {
	for _, path := range t.order {
		if err := do(t.parts[path]); err != nil {
			return err
		}
	}
	return nil
}

func (t *table[T]) discard() {
	for _, p := range t.parts {
		p.discard()
	}
}
