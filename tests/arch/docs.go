package arch

import (
	"bytes"
	"go/ast"
	"maps"
	"path"
	"slices"
	"strings"
)

// docs checks that every exported top-level name of a file has a doc comment,
// and remembers whether the package has one.
func (c *checker) docs(name string, f *ast.File) {
	dir := path.Dir(name)
	c.documented[dir] = c.documented[dir] || f.Doc != nil
	for _, decl := range f.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
				c.undocumented(name, d.Name)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				c.specDocs(name, d, spec)
			}
		}
	}
}

// specDocs checks one type, constant or variable. Constants and variables of a
// group may share the group's comment; each type of a group needs its own.
func (c *checker) specDocs(name string, d *ast.GenDecl, spec ast.Spec) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		alone := !d.Lparen.IsValid() && d.Doc != nil
		if s.Name.IsExported() && s.Doc == nil && s.Comment == nil && !alone {
			c.undocumented(name, s.Name)
		}
	case *ast.ValueSpec:
		if d.Doc != nil || s.Doc != nil || s.Comment != nil {
			return
		}
		for _, id := range s.Names {
			if id.IsExported() {
				c.undocumented(name, id)
			}
		}
	}
}

func (c *checker) undocumented(name string, id *ast.Ident) {
	c.at(name, id.Pos(), "doc", id.Name+" is exported and has no doc comment")
}

// exportedReceiver says whether a function is one that other packages see: no
// method, or a method of an exported type.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return false
		}
	}
}

// packages reports the folders in which no file has a package comment.
func (c *checker) packages() {
	for _, dir := range slices.Sorted(maps.Keys(c.documented)) {
		if !c.documented[dir] {
			c.fault(dir, 0, "doc", "the package has no package comment")
		}
	}
}

// words looks for the words that may not be in a text file.
func (c *checker) words(name string, src []byte) {
	for _, w := range c.rules.Words {
		if below(name, w.Except) {
			continue
		}
		if i := bytes.Index(src, []byte(w.Text)); i >= 0 {
			line := bytes.Count(src[:i], []byte("\n")) + 1
			c.fault(name, line, "word", w.Text+": "+w.Why)
		}
	}
}

// isText says whether a file is one that people write, by its name.
func isText(name string) bool {
	texts := []string{
		"", ".go", ".mod", ".md", ".txt", ".yml", ".yaml", ".json", ".toml", ".sql", ".sh",
		".conf", ".ts", ".js", ".mjs", ".svelte", ".css", ".html", ".svg", ".ndjson",
	}
	return slices.Contains(texts, strings.ToLower(path.Ext(name)))
}
