package game

// A ClockSpec is a time control: milliseconds a seat starts with, and what it
// gets for every turn it completes.
type ClockSpec struct {
	Base      int64 `json:"base_ms"`
	Increment int64 `json:"increment_ms"`
}

// The longest time control is a week a seat with an increment of three days.
const (
	maxBase      = 7 * 24 * 60 * 60 * 1000
	maxIncrement = 3 * 24 * 60 * 60 * 1000
)

func (c *ClockSpec) check() error {
	if c == nil {
		return nil
	}
	if c.Base < 1000 || c.Base > maxBase || c.Increment < 0 || c.Increment > maxIncrement {
		return Refuse(BadOption, "A clock needs base_ms from 1000 to %d and increment_ms from 0 to %d.", maxBase, maxIncrement)
	}
	return nil
}

// Clocks are the milliseconds left, by wire number of the seat.
type Clocks [2]int64

// Left is what the seat has left.
func (c Clocks) Left(s Seat) int64 { return c[s.Wire()] }

// A Clock measures the thinking time of both seats. It charges the seat that must
// act from Since on; it stands still while nobody runs.
type Clock struct {
	Spec    ClockSpec
	Left    Clocks  // as of Since
	Since   Instant // when Running began to be charged
	Running Seat    // Spectator: the clock stands still
	Used    bool    // the table has a clock at all
}

// At is what both seats have left at the given moment, never below zero.
func (c Clock) At(now Instant) Clocks {
	left := c.Left
	if c.Running != Spectator {
		i := c.Running.Wire()
		left[i] = max(0, left[i]-max(0, int64(now-c.Since)))
	}
	return left
}

// Deadline is when the running seat's flag falls; ok is false while nobody runs.
func (c Clock) Deadline() (at Instant, ok bool) {
	if !c.Used || c.Running == Spectator {
		return 0, false
	}
	return c.Since + Instant(c.Left.Left(c.Running)), true
}

// fallen says whether the running seat had no time left at the given moment. A
// move at the very deadline is too late.
func (c Clock) fallen(now Instant) bool {
	deadline, ok := c.Deadline()
	return ok && now >= deadline
}

// charged is what is written into the event of a completed turn: the seat pays
// for its time and gets its increment. It is nil where there is no clock.
func (c Clock) charged(now Instant, s Seat) *Clocks {
	if !c.Used {
		return nil
	}
	left := c.At(now)
	left[s.Wire()] += c.Spec.Increment
	return &left
}

// set takes the values of an event as they stand.
func (c Clock) set(left *Clocks, now Instant) Clock {
	if left != nil {
		c.Left, c.Since = *left, now
	}
	return c
}

// follow lets the seat run from now on, and charges the one that ran before.
func (c Clock) follow(running Seat, now Instant) Clock {
	if c.Used && c.Running != running {
		c.Left, c.Since, c.Running = c.At(now), now, running
	}
	return c
}
