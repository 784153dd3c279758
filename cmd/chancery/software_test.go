package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"chancery/adapters/web"
	"chancery/domain/game"
)

// releases is how many records a server that starts on a new ledger writes of its pages.
func releases() int {
	if web.Files() == nil {
		return 0
	}
	return 1
}

var releasedAs = regexp.MustCompile(`"name":"([^"]+)","sha256":"([^"]+)"`)

// The ledger says which scripts are served, once, and they are.
func TestSoftwareIsReleased(t *testing.T) {
	data := filepath.Join(t.TempDir(), "d")
	for range 2 {
		s := start(t, serveArgs(data)...)
		url := s.ready(t)
		code, body := fetch(t, url+"/api/games/_software/records")
		scripts := releasedAs.FindAllStringSubmatch(body, -1)
		if releases() == 0 && code != http.StatusNotFound || releases() > 0 && (len(scripts) == 0 || strings.Count(body, "\n") != 1) {
			t.Errorf("%d %s", code, body)
		}
		for _, script := range scripts {
			_, served := fetch(t, url+"/"+script[1])
			if sum := sha256.Sum256([]byte(served)); hex.EncodeToString(sum[:]) != script[2] {
				t.Errorf("%s is served as %x and not as %s", script[1], sum, script[2])
			}
		}
		if releases() > 0 {
			awaited(t, url+"/api/games/_software/proof", "c2sp.org/tlog-proof")
		}
		s.stop()
	}
}

func TestScriptsOf(t *testing.T) {
	list, err := scriptsOf(fstest.MapFS{
		"verify/index.html": {Data: []byte("page")}, "verify/page.mjs": {Data: []byte("a")}, "verify.mjs": {Data: []byte("b")},
	})
	want := fmt.Sprint([]game.SoftwareReleased{
		{Name: "verify/page.mjs", SHA256: "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
		{Name: "verify.mjs", SHA256: "3e23e8160039594a33894f6564e1b1348bbd7a0088d42c4acb73eeaed59c009d"},
	})
	if err != nil || fmt.Sprint(list) != want {
		t.Errorf("%v, %v", list, err)
	}
	if list, err := scriptsOf(nil); len(list) > 0 || err != nil {
		t.Errorf("a server without pages: %v, %v", list, err)
	}
}
