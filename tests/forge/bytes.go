package forge

import "bytes"

// Change is the game with byte i of record n replaced by another of its kind: a digit
// by a digit, a letter by a letter of its case, so that as many changes as possible
// still read well.
func Change(payloads [][]byte, n, i int) [][]byte {
	changed := append([][]byte(nil), payloads...)
	changed[n] = bytes.Clone(payloads[n])
	changed[n][i] = another(changed[n][i])
	return changed
}

func another(c byte) byte {
	switch {
	case '0' <= c && c <= '9':
		return '0' + (c-'0'+1)%10
	case 'a' <= c && c <= 'f':
		return 'a' + (c-'a'+1)%6
	case 'g' <= c && c <= 'z':
		return 'g' + (c-'g'+1)%20
	case 'A' <= c && c <= 'Z':
		return 'A' + (c-'A'+1)%26
	}
	return c ^ 1
}
