package jetstream

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// A Finding is one thing that the doctor looked at.
type Finding struct {
	Name   string `json:"name"`
	Health Health `json:"health"`
	Text   string `json:"text"` // what was found and, where it is not well, what to do
}

// A Health says how a thing is.
type Health string

// How things are. Unknown is what only the cluster's administrator can see.
const (
	Well    Health = "well"
	Unwell  Health = "unwell"
	Unknown Health = "unknown"
)

// manyConsumers is a warning well before the limit of a thousand a stream.
const manyConsumers = 500

// Doctor looks at the ledger and its broker. An error is [events.ErrUnavailable]: then
// there was nothing to look at.
func (l *Log) Doctor(ctx context.Context) ([]Finding, error) {
	info, err := l.conns[0].stream.Info(ctx)
	if err != nil {
		return nil, unavailable(ctx, "looking at the ledger", err)
	}
	findings := []Finding{
		l.serverFound(), l.durabilityFound(), settingsFound(info.Config, streamConfig(l.replicas, l.lazy)),
		recordsFound(info.State), consumersFound(info.State.Consumers),
	}
	if l.replicas > 1 {
		findings = append(findings, replicasFound(info.Cluster, l.replicas))
	}
	return findings, nil
}

func (l *Log) serverFound() Finding {
	nc := l.conns[0].nats
	return Finding{"broker", Well, fmt.Sprintf("nats-server %s, %s", nc.ConnectedServerVersion(), nc.ConnectedServerName())}
}

// durabilityFound is what is known of the moment at which an append is acknowledged. A
// cluster does not tell ordinary users how it syncs.
func (l *Log) durabilityFound() Finding {
	switch {
	case l.lazy:
		return Finding{"durability", Unwell, "throwaway: an append is acknowledged before it is on disk; games that matter need a ledger made without --lazy"}
	case l.replicas == 1 && l.embedded:
		return Finding{"durability", Well, "every append is synced to disk before it is acknowledged"}
	}
	return Finding{"durability", Unknown, "every server needs `sync_interval: always` in the jetstream block of its configuration; the default acknowledges up to two minutes before a sync"}
}

func settingsFound(have, want jetstream.StreamConfig) Finding {
	if err := driftOf(have, want); err != nil {
		return Finding{"stream settings", Unwell, err.Error()}
	}
	return Finding{"stream settings", Well, "as the ledger needs them: file storage, no limits, no deletion"}
}

// recordsFound notices records that the broker has lost.
func recordsFound(s jetstream.StreamState) Finding {
	text := fmt.Sprintf("%d records, %d bytes", s.Msgs, s.Bytes)
	if s.NumDeleted > 0 || s.Msgs != s.LastSeq {
		return Finding{"records", Unwell, fmt.Sprintf("%s, but positions reach %d: %d are lost; stop, and restore a backup into a new ledger", text, s.LastSeq, s.LastSeq-s.Msgs)}
	}
	return Finding{"records", Well, text + ", none missing"}
}

func consumersFound(n int) Finding {
	if n > manyConsumers {
		return Finding{"readers", Unwell, fmt.Sprintf("%d consumers; a stream has room for about 1000: find who leaves them behind with `nats consumer ls %s`", n, streamName)}
	}
	return Finding{"readers", Well, fmt.Sprintf("%d consumers", n)}
}

func replicasFound(c *jetstream.ClusterInfo, want int) Finding {
	if c == nil || c.Leader == "" {
		return Finding{"replicas", Unwell, "the stream has no leader: too few servers of the cluster are up"}
	}
	up := 1
	var behind string
	for _, r := range c.Replicas {
		switch {
		case r.Offline:
			behind += fmt.Sprintf(", %s is down", r.Name)
		case !r.Current:
			behind += fmt.Sprintf(", %s lags by %d", r.Name, r.Lag)
		default:
			up++
		}
	}
	if up < want {
		return Finding{"replicas", Unwell, fmt.Sprintf("%d of %d are current (leader %s%s); the next failure may stop all games", up, want, c.Leader, behind)}
	}
	return Finding{"replicas", Well, fmt.Sprintf("%d, leader %s", up, c.Leader)}
}
