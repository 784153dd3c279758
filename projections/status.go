package projections

import (
	"fmt"

	"chancery/events"
)

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

// Conditions lists them all.
func Conditions() []Condition {
	return []Condition{Starting, Standby, Running, Renewing, Waiting, Stopped}
}

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

// Lag is how many records the read model is behind; 0 on standby, for then the process
// that writes it knows.
func (s Status) Lag() uint64 {
	if s.Last < s.Position || s.Condition == Standby {
		return 0
	}
	return uint64(s.Last - s.Position)
}

// String says it in a line.
func (s Status) String() string {
	if s.Condition == Standby {
		return fmt.Sprintf("projection %s: standby, another server keeps it up to date", s.Name)
	}
	line := fmt.Sprintf("projection %s: %s at position %d, %d behind", s.Name, s.Condition, s.Position, s.Lag())
	if s.Game != "" {
		line += fmt.Sprintf("; it cannot absorb position %d, a record of game %s", s.At, s.Game)
	}
	if s.Error != "" {
		line += ": " + s.Error
	}
	return line
}
