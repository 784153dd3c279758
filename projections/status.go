package projections

import "chancery/events"

// A Condition is what a projection does.
type Condition string

// The conditions.
const (
	Starting Condition = "starting" // its store has not been reached yet
	Standby  Condition = "standby"  // another process writes its read model
	Running  Condition = "running"
	Renewing Condition = "renewing" // its read model, of an older version, is computed anew
	Waiting  Condition = "waiting"  // its store or the ledger is out of reach; tried again
	Stopped  Condition = "stopped"  // a record cannot be absorbed; tried again now and then
)

// A Status is how a projection does in this process.
type Status struct {
	Name      string          `json:"name"`
	Condition Condition       `json:"condition"`
	Position  events.Position `json:"position"`        // of the newest record absorbed here
	Last      events.Position `json:"last"`            // of the newest record of the ledger, when last asked
	Game      string          `json:"game,omitempty"`  // stopped: the game of the record
	At        events.Position `json:"at,omitempty"`    // stopped: the record's position
	Error     string          `json:"error,omitempty"` // waiting and stopped: why
}

// Lag is how many records the read model is behind.
func (s Status) Lag() uint64 {
	if s.Last < s.Position {
		return 0
	}
	return uint64(s.Last - s.Position)
}
