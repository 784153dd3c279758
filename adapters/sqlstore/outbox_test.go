package sqlstore

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"chancery/events"
	"chancery/projections"
	"chancery/projections/ledgertest"

	"github.com/jmoiron/sqlx"
)

// sqlIn is the block of docs/analytics.md that is for the database.
func sqlIn(t *testing.T, database string) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/analytics.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(text), "```sql "+database+"\n")
	block, _, ended := strings.Cut(rest, "```")
	if !found || !ended {
		t.Fatalf("there is no SQL for %s", database)
	}
	return block
}

// outboxRow is a row that consumers of the outbox pattern read.
type outboxRow struct {
	ID            string `db:"id"`
	AggregateType string `db:"aggregatetype"`
	AggregateID   string `db:"aggregateid"`
	Type          string `db:"type"`
	Payload       string `db:"payload"`
	Timestamp     string `db:"timestamp"`
	Record        int64  `db:"record"`
	Index         int64  `db:"index"`
}

// The SQL that analysts are given says what the ledger says, also after the read model
// was computed anew.
func TestOutbox(t *testing.T) {
	log := ledger(t, 20)
	want := map[string]string{}
	games := slices.Clone(ledgertest.Own)
	for n := range 20 {
		games = append(games, ledgertest.ID(n))
	}
	for _, id := range games {
		for step, err := range events.Steps(t.Context(), log, events.NewGame(id)) {
			if err != nil {
				t.Fatal(err)
			}
			list, err := events.RawEvents(step.Stored.Payload)
			if err != nil {
				t.Fatal(err)
			}
			for i, e := range list {
				want[fmt.Sprintf("%s/%d/%d", id, step.Record.N, i)] = fmt.Sprintf("chancery.%s.v%d %s", e.Type, e.Version, projections.Timestamp(step.Record.At))
			}
		}
	}
	onBoth(t, func(t *testing.T, open func() *DB) {
		m := open().Model(Watch(log))
		absorb(t, m, log, 1000)
		query := sqlIn(t, "sqlite")
		if m.db.shared != nil {
			m.db.shared.MustExecContext(t.Context(), sqlIn(t, "postgres"))
			query = `SELECT id, aggregatetype, aggregateid, type, payload, to_char("timestamp" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "timestamp", record, index FROM analytics.outbox`
		}
		compareOutbox(t, m, query, want)
		if err := projections.Rebuild(t.Context(), log, m, nil); err != nil {
			t.Fatal(err)
		}
		compareOutbox(t, m, query, want)
	})
}

func compareOutbox(t *testing.T, m *Model, query string, want map[string]string) {
	t.Helper()
	var rows []outboxRow
	if err := m.Read(t.Context(), func(q *sqlx.DB) error { return q.SelectContext(t.Context(), &rows, query) }); err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(want) {
		t.Errorf("%d rows, want %d", len(rows), len(want))
	}
	for _, r := range rows {
		if got := r.Type + " " + r.Timestamp; got != want[r.ID] || r.AggregateType != "game" || !strings.HasPrefix(r.ID, r.AggregateID+"/") || !strings.HasPrefix(r.Payload, "{") {
			t.Errorf("%+v, want %s", r, want[r.ID])
		}
	}
}
