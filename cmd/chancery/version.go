package main

import (
	"runtime"
	"runtime/debug"
)

// version is set by the linker.
var version = "devel"

// VersionCmd says which program this is.
type VersionCmd struct {
	JSON bool `help:"For programs."`
}

// Help is an example.
func (VersionCmd) Help() string { return "Example:\n\n    chancery version --json" }

// Run prints the version.
func (c VersionCmd) Run(env *Env) error {
	if c.JSON {
		return env.printJSON(map[string]string{"version": programVersion(), "go": runtime.Version()})
	}
	env.printf("chancery %s (%s)\n", programVersion(), runtime.Version())
	return nil
}

// programVersion is the linker's version, or the commit that Go knows of.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && version == "devel" && info.Main.Version != "" {
		return info.Main.Version
	}
	return version
}
