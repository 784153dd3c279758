package main

import "testing"

func TestProxies(t *testing.T) {
	for text, want := range map[string]string{
		"10.0.0.7": "10.0.0.7/32", "10.1.2.3/8": "10.0.0.0/8", "::1": "::1/128", "::ffff:10.0.0.7": "10.0.0.7/32",
		"localhost": "", "10.0.0.7:80": "", "10.0.0.0/33": "", "": "",
	} {
		list, err := ServeCmd{TrustedProxy: []string{text}}.proxies()
		if want == "" && err == nil || want != "" && (err != nil || list[0].String() != want) {
			t.Errorf("%q: %v, %v; want %q", text, list, err, want)
		}
	}
}
