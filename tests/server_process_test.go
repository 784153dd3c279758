package tests

import (
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// buildBinary builds the program for a test that runs it as a process of its own.
func buildBinary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "chancery")
	if out, err := exec.Command("go", "build", "-o", path, "chancery/cmd/chancery").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return path
}

// A process is a server that runs outside of the test.
type process struct {
	t    *testing.T
	path string // of the program
	url  string
	args []string
	cmd  *exec.Cmd
	out  *safeBuffer
}

// freeAddress is an address that nobody listens on just now.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// newProcess is a server with the arguments, not started yet.
func newProcess(t *testing.T, path string, args ...string) *process {
	t.Helper()
	addr := freeAddress(t)
	p := &process{t: t, path: path, url: "http://" + addr, out: &safeBuffer{}}
	p.args = append([]string{"serve", "--listen", addr, "--creates-per-minute", "0", "--actions-per-second", "0"}, args...)
	t.Cleanup(p.kill)
	return p
}

// start runs the server and waits until it is ready.
func (p *process) start() {
	p.t.Helper()
	p.cmd = exec.Command(p.path, p.args...)
	p.cmd.Stdout, p.cmd.Stderr = p.out, p.out
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	for range 1500 {
		if resp, err := http.Get(p.url + "/readyz"); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	p.t.Fatalf("the server does not get ready: %s", p.out)
}

// kill ends the server as a power cut would, without a word.
func (p *process) kill() {
	if p.cmd == nil {
		return
	}
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
	p.cmd = nil
}

// stop asks the server to end, and says how it did.
func (p *process) stop() error {
	defer func() { p.cmd = nil }()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	return p.cmd.Wait()
}

// trouble is what the server has logged as an error of its own.
func (p *process) trouble() string {
	return linesWith(p.out.String(), `"level":"ERROR"`, "panic:")
}
