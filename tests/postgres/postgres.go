// Package postgres gives tests a throwaway PostgreSQL, started from the binaries that
// are installed.
package postgres

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "github.com/lib/pq" // the driver "postgres"
)

// A Server is a PostgreSQL of this process. Its data directory is below the folder of
// temporary files, and goes with it.
type Server struct {
	bin, dir string
	owner    *syscall.SysProcAttr // not root, which PostgreSQL refuses
	stdin    io.Closer            // closing it stops the server, as does the end of this process
	databases
}

type databases struct {
	sync.Mutex
	count int
}

var shared = sync.OnceValues(func() (*Server, error) { return start() })

// errMissing says that no PostgreSQL is installed.
var errMissing = errors.New("no PostgreSQL is installed: apt-get install postgresql")

// URL is the URL of a new, empty database on a server that all tests of the process
// share. Without PostgreSQL the test is skipped, and fails where CI is set.
func URL(t testing.TB) string {
	t.Helper()
	s, err := shared()
	return url(t, s, err)
}

// Start gives the test a server of its own, to be stopped and started again.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := start()
	if err == nil {
		t.Cleanup(func() { _ = s.stdin.Close() })
	}
	url(t, s, err)
	return s
}

func url(t testing.TB, s *Server, err error) string {
	t.Helper()
	switch {
	case errors.Is(err, errMissing) && os.Getenv("CI") == "":
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	}
	u, err := s.NewDatabase(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// NewDatabase makes an empty database and gives its URL.
func (s *Server) NewDatabase(ctx context.Context) (string, error) {
	s.Lock()
	s.count++
	name := "test" + strconv.Itoa(s.count)
	s.Unlock()
	db, err := sql.Open("postgres", s.url("postgres"))
	if err != nil {
		return "", err
	}
	defer func() { _ = db.Close() }() // it has only asked
	_, err = db.ExecContext(ctx, "CREATE DATABASE "+name)
	return s.url(name), err
}

func (s *Server) url(name string) string { return "postgres://postgres@/" + name + "?host=" + s.dir }

// Stop stops the server at once, as a crash would.
func (s *Server) Stop() error {
	return s.run(filepath.Join(s.bin, "pg_ctl"), "-D", s.data(), "-m", "immediate", "-w", "stop")
}

// Again starts it again where it was.
func (s *Server) Again() error {
	return s.run(filepath.Join(s.bin, "pg_ctl"), "-D", s.data(), "-l", filepath.Join(s.dir, "log"), "-o", s.options(), "-w", "start")
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// options leave the network and every promise of durability out.
func (s *Server) options() string {
	return "-k " + s.dir + " -c listen_addresses= -c fsync=off -c max_connections=200 -c full_page_writes=off"
}

func start() (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin}
	if s.dir, err = os.MkdirTemp("/tmp", "chancery-pg-"); err != nil { // a socket's path must be short
		return nil, err
	}
	if err := s.disown(); err != nil {
		return nil, err
	}
	if err := s.run(filepath.Join(bin, "initdb"), "-D", s.data(), "-U", "postgres", "-A", "trust", "-N", "-E", "UTF8", "--locale=C.UTF-8"); err != nil {
		return nil, err
	}
	if err := s.Again(); err != nil {
		return nil, err
	}
	return s, s.guard()
}

// binaries finds where PostgreSQL is installed, the newest version first.
func binaries() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb") // the pattern is well formed
	if len(found) == 0 {
		return "", errMissing
	}
	return filepath.Dir(found[len(found)-1]), nil
}

// disown gives the folder to the user postgres where this process is root.
func (s *Server) disown() error {
	if os.Geteuid() != 0 {
		return nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(u.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(u.Gid)
	if err != nil {
		return err
	}
	s.owner = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	return os.Chown(s.dir, uid, gid)
}

func (s *Server) run(name string, args ...string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, name, args...)
	var out bytes.Buffer
	c.Stderr, c.SysProcAttr, c.Dir = &out, s.owner, "/"
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", filepath.Base(name), err, strings.TrimSpace(out.String()))
	}
	return nil
}

// guard leaves a shell behind that stops the server and removes the folder once this
// process has ended, however it did.
func (s *Server) guard() error {
	c := exec.Command("sh", "-c", //nolint:noctx // it lives longer than any context
		`read -r _; "$1"/pg_ctl -D "$2"/data -m immediate -w stop; rm -rf "$2"`, "sh", s.bin, s.dir)
	c.SysProcAttr, c.Dir = s.owner, "/"
	var err error
	if s.stdin, err = c.StdinPipe(); err != nil {
		return err
	}
	return c.Start()
}
