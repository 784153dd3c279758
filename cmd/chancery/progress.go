package main

import (
	"fmt"
	"time"
)

// A progress line on the terminal, for what takes longer than a second.
type progress struct {
	env         *Env
	what        string
	total       uint64 // 0: not known
	start, last time.Time
}

func newProgress(env *Env, what string, total uint64) *progress {
	now := time.Now()
	return &progress{env: env, what: what, total: total, start: now, last: now.Add(time.Second)}
}

// at shows that n are done, a few times a second.
func (p *progress) at(n uint64) {
	if !p.env.Terminal || n%64 != 0 {
		return
	}
	now := time.Now()
	if now.Before(p.last.Add(200 * time.Millisecond)) {
		return
	}
	p.last = now
	line := fmt.Sprintf("%d %s", n, p.what)
	if p.total > 0 {
		line = fmt.Sprintf("%d of %d %s (%d %%)", n, p.total, p.what, 100*n/p.total)
	}
	p.env.warnf("\r%-60s", line)
}

// done removes the line.
func (p *progress) done() {
	if p.env.Terminal && p.last.After(p.start.Add(time.Second)) {
		p.env.warnf("\r%60s\r", "")
	}
}
