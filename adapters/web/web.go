// Package web is what browsers get: its sources, in TypeScript, and the files that are
// built of them (make web) and embedded in the binary. A binary that was built without
// them serves the API alone.
package web

import (
	"embed"
	"io/fs"
)

// dist holds what was built; the file beginning with a dot is there for git's sake.
//
//go:embed all:dist
var dist embed.FS

// Files are the built files by the paths under which they are served: verify/index.html
// and what it loads. It is nil where nothing was built.
func Files() fs.FS {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		panic(err) // the name above is a valid one
	}
	if _, err := fs.Stat(files, "verify/index.html"); err != nil {
		return nil
	}
	return files
}
