package tlog

import (
	"testing"
)

// What parses is what is printed.
func FuzzCheckpoint(f *testing.F) {
	f.Add("chess.example/ledger\n0\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n")
	f.Add("a\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFV=\nmore\n")
	f.Fuzz(func(t *testing.T, text string) {
		c, err := ParseCheckpoint(text)
		if err != nil {
			return
		}
		if printed := c.Text(); len(text) < len(printed) || text[:len(printed)] != printed {
			t.Errorf("%q is printed as %q", text, printed)
		}
	})
}

func FuzzProof(f *testing.F) {
	f.Add("c2sp.org/tlog-proof@v1\nindex 3\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\na\n5\n")
	f.Add("c2sp.org/tlog-proof@v1\nextra AAAA\nindex 0\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProof(text)
		if err != nil {
			return
		}
		again, err := ParseProof(p.Text())
		if err != nil || again.Text() != p.Text() || again.Index != p.Index || again.Signed != p.Signed {
			t.Errorf("%q is printed as %q, %v", text, p.Text(), err)
		}
	})
}

// Keys of witnesses and of ledgers are told apart, and only a whole key is one.
func FuzzWitnessKey(f *testing.F) {
	f.Add("w.example+1a2b3c4d+BAAA")
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if v, err := WitnessVerifier(text); err == nil && text != keyText(v.Name(), v.(cosigner).public) {
			t.Errorf("%q is another way to write %s", text, v.Name())
		}
	})
}
