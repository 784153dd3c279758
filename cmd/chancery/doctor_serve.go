package main

import (
	"context"
	"fmt"

	"chancery/adapters/jetstream"
	"chancery/adapters/table"
)

// besides is what a running server says of all that stands beside its ledger.
func besides(ctx context.Context, hall *table.Hall, read *readSide, public *publicLedger, standing *standingAudit) []jetstream.Finding {
	return append(read.findings(ctx), public.finding(), standing.finding(ctx), sealsFinding(hall))
}

// finding says how far the ledger is signed, or why it is not.
func (p *publicLedger) finding() jetstream.Finding {
	signed, _, _ := p.Signed()
	witnessed, _, _ := p.Witnessed()
	f := jetstream.Finding{Name: "signing", Health: well}
	switch trouble := p.Trouble(); {
	case trouble != nil:
		f.Health, f.Text = unwell, "ALARM: no checkpoint is signed any more: "+trouble.Error()
	case !p.Rehashed():
		f.Health, f.Text = unknown, "all records are being compared with those that were signed; nothing is signed before"
	default:
		f.Text = fmt.Sprintf("%d of %d records are signed, %d with a witness", signed, p.Size(), witnessed)
	}
	return f
}

// finding says what the audit has found.
func (s *standingAudit) finding(ctx context.Context) jetstream.Finding {
	r, _ := s.now(ctx)
	f := jetstream.Finding{Name: "audit", Health: well, Text: fmt.Sprintf("%d of %d records read, nothing is wrong", r.Records, r.Last)}
	if !r.OK() {
		f.Health = unwell
		f.Text = fmt.Sprintf("%d faults, %d overdue and %d refused games; chancery audit names them", len(r.Faults), len(r.Overdue), len(r.Refused))
		if r.Alarm {
			f.Text += ", and what does not look like chance"
		}
	}
	return f
}
