package arch

import (
	"go/ast"
	"slices"
	"strconv"
	"strings"
)

// pureStd is the part of the standard library that only calculates: nothing of
// it asks for the time, a random number, a file, the network or the machine.
var pureStd = []string{
	"bufio", "bytes", "cmp", "container/heap", "container/list", "container/ring",
	"crypto/aes", "crypto/cipher", "crypto/hkdf", "crypto/hmac", "crypto/sha256", "crypto/sha512", "crypto/subtle",
	"embed", "encoding", "encoding/base64", "encoding/binary", "encoding/hex", "encoding/json",
	"errors", "fmt", "hash", "hash/crc32", "hash/fnv", "io", "iter", "maps",
	"math", "math/big", "math/bits", "reflect", "regexp", "slices", "sort", "strconv", "strings",
	"sync", "sync/atomic", "text/tabwriter", "time", "unicode", "unicode/utf16", "unicode/utf8",
}

// impure are functions of otherwise pure packages that read the clock, the
// machine's time zone, or write to a terminal.
var impure = map[string][]string{
	"time": {
		"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker",
		"Local", "LoadLocation",
	},
	"fmt": {"Print", "Printf", "Println", "Scan", "Scanf", "Scanln"},
}

// imports checks each import of a file against its folder's rule.
func (c *checker) imports(name string, f *ast.File, folder Folder, own string, test bool) {
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			c.at(name, spec.Pos(), "syntax", err.Error())
			continue
		}
		if spec.Name != nil && spec.Name.Name == "." {
			c.at(name, spec.Pos(), "import", "a dot import hides where names come from")
		}
		if !c.mayImport(p, folder, own, test) {
			c.at(name, spec.Pos(), "import", own+" may not import "+p)
		}
	}
}

// mayImport decides one import path.
func (c *checker) mayImport(p string, folder Folder, own string, test bool) bool {
	internal, isInternal := strings.CutPrefix(p, c.rules.Module+"/")
	switch {
	case isInternal:
		return below(internal, []string{own}) || below(internal, folder.May) ||
			test && below(internal, c.rules.TestInternal)
	case isStd(p):
		return test || !folder.Pure || slices.Contains(pureStd, p) || slices.Contains(folder.Std, p)
	default:
		return slices.Contains(folder.External, "*") || below(p, folder.External) ||
			test && below(p, c.rules.TestExternal)
	}
}

// isStd says whether an import path is one of the standard library: only those
// have a first element without a dot.
func isStd(p string) bool {
	first, _, _ := strings.Cut(p, "/")
	return !strings.Contains(first, ".")
}

// below says whether p is one of the folders, or within one.
func below(p string, folders []string) bool {
	return slices.ContainsFunc(folders, func(f string) bool {
		_, ok := matchPath(f, p)
		return ok
	})
}

// calls finds uses of the clock, the terminal and goroutines in a pure file. A
// use counts without a call too: a func value would read the clock later.
func (c *checker) calls(name string, f *ast.File) {
	packages := importNames(f)
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			c.at(name, n.Pos(), "pure", "starts a goroutine")
		case *ast.CallExpr:
			if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "print" || id.Name == "println") {
				c.at(name, n.Pos(), "pure", "writes to the terminal with "+id.Name)
			}
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && slices.Contains(impure[packages[id.Name]], n.Sel.Name) {
				c.at(name, n.Pos(), "pure", "uses "+packages[id.Name]+"."+n.Sel.Name)
			}
		}
		return true
	})
}

// importNames maps the names under which a file knows its imports to their paths.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := p[strings.LastIndex(p, "/")+1:]
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}
