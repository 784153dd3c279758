package sqlstore

import (
	"strings"
	"syscall"
)

// tcpUserTimeout is TCP_USER_TIMEOUT (tcp(7)): how long what was sent may stay without an
// acknowledgement, in ms.
const tcpUserTimeout = 18

// unacknowledged ends a connection whose packets get lost for twenty seconds while others
// get through, as when a firewall has forgotten it.
func unacknowledged(network, _ string, c syscall.RawConn) (err error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	if e := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, tcpUserTimeout, 20_000)
	}); e != nil {
		return e
	}
	return err
}
