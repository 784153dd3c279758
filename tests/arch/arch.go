// Package arch checks the shape of a Go source tree: which folder may import
// what, which functions the pure core may not call, that exported names are
// documented and files stay readable.
//
// It parses the files themselves and so sees every file, whatever its build
// tags say; `go list` would show one platform's files, and the test cache does
// not notice when its answer changes.
package arch

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Rules say what a tree must look like.
type Rules struct {
	Module  string   // module path in go.mod
	Folders []Folder // every folder with Go files falls under one of them

	// TestInternal and TestExternal are what the _test.go files of every folder
	// may import besides what the folder itself may.
	TestInternal []string
	TestExternal []string

	MaxLines int    // longest file outside tests
	Words    []Word // not to be found in any text file
}

// A Folder says what the Go files at and below one path may do. Where several
// match a file, the longest path wins. A "*" stands for one path element.
type Folder struct {
	Path     string
	May      []string // folders of the module it may import; its own always
	External []string // modules it may import, as path prefixes; "*" is any
	Pure     bool     // only the calculating part of the standard library
	Std      []string // more of the standard library, for a pure folder
	Tests    bool     // holds tests only: no rule on documentation and length
}

// A Word is text that may not appear in the tree, except below some folders.
type Word struct {
	Text   string
	Why    string
	Except []string
}

// A Fault is one place where the tree breaks a rule.
type Fault struct {
	File string
	Line int // from 1; 0 where the whole file is meant
	Rule string
	Text string
}

func (f Fault) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Rule, f.Text)
}

// skipped are folders that are not sources of ours: other modules, data, what
// was built.
var skipped = []string{".git", "bin", "data", "node_modules", "dist", "testdata", "tools"}

// Check reads every file of the tree and returns the faults, ordered by file
// and line. The error is one of reading; a file that does not parse is a fault.
func Check(tree fs.FS, rules Rules) ([]Fault, error) {
	c := checker{rules: rules, fset: token.NewFileSet(), documented: map[string]bool{}}
	err := fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && slices.Contains(skipped, d.Name()):
			return fs.SkipDir
		case d.IsDir() || !isText(name):
			return nil
		}
		src, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		c.words(name, src)
		if path.Ext(name) == ".go" {
			c.goFile(name, src)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("reading the source tree: %w", err)
	}
	c.packages()
	slices.SortFunc(c.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Text, b.Text))
	})
	return c.faults, nil
}

// checker collects the faults of one tree.
type checker struct {
	rules      Rules
	fset       *token.FileSet
	faults     []Fault
	documented map[string]bool // by folder: whether a file of it has a package comment
}

// goFile parses one file and asks every rule about it.
func (c *checker) goFile(name string, src []byte) {
	f, err := parser.ParseFile(c.fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		c.fault(name, 0, "syntax", err.Error())
		return
	}
	folder, own, ok := c.rules.folder(path.Dir(name))
	if !ok {
		c.fault(name, 0, "folder", "no rule covers "+path.Dir(name)+"; add it to the table of folders")
		return
	}
	test := strings.HasSuffix(name, "_test.go")
	c.imports(name, f, folder, own, test)
	if folder.Pure && !test {
		c.calls(name, f)
	}
	if folder.Tests || test || ast.IsGenerated(f) {
		return
	}
	c.docs(name, f)
	if n := c.fset.File(f.Pos()).LineCount(); n > c.rules.MaxLines {
		c.fault(name, 0, "length", fmt.Sprintf("%d lines, at most %d: split it by noun", n, c.rules.MaxLines))
	}
}

// folder returns the rule for a directory and the part of the directory's path
// that the rule's own path matched.
func (r Rules) folder(dir string) (best Folder, own string, ok bool) {
	for _, f := range r.Folders {
		if match, hit := matchPath(f.Path, dir); hit && (!ok || moreExact(f.Path, best.Path)) {
			best, own, ok = f, match, true
		}
	}
	return best, own, ok
}

// moreExact orders patterns that match the same directory: the longer first,
// then the one without a star.
func moreExact(a, b string) bool {
	if n := strings.Count(a, "/") - strings.Count(b, "/"); n != 0 {
		return n > 0
	}
	return strings.Contains(b, "*") && !strings.Contains(a, "*")
}

// matchPath says whether dir is at or below pattern, and which leading part of
// dir the pattern stands for.
func matchPath(pattern, dir string) (string, bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(dir, "/")
	if len(have) < len(want) {
		return "", false
	}
	for i, w := range want {
		if w != "*" && w != have[i] {
			return "", false
		}
	}
	return path.Join(have[:len(want)]...), true
}

func (c *checker) fault(file string, line int, rule, text string) {
	c.faults = append(c.faults, Fault{File: file, Line: line, Rule: rule, Text: text})
}

func (c *checker) at(file string, pos token.Pos, rule, text string) {
	c.fault(file, c.fset.Position(pos).Line, rule, text)
}
