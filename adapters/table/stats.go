package table

// Stats are counts of what a hall holds now.
type Stats struct {
	Tables  int // games in memory
	Watches int // readers that follow a game
	Duties  int // games that it will look after by itself
	Opened  int // sealed seeds it has opened while it ran, restarts of games left out
	Lost    int // open games whose seal key is gone
}

// Stats counts.
func (h *Hall) Stats() Stats {
	s := Stats{Opened: int(h.opened.Load())}
	h.mu.Lock()
	s.Tables = len(h.tables)
	h.mu.Unlock()
	h.watches.mu.Lock()
	s.Watches = h.watches.count
	h.watches.mu.Unlock()
	h.agenda.mu.Lock()
	s.Duties = len(h.agenda.games)
	h.agenda.mu.Unlock()
	for _, ids := range h.Lost() {
		s.Lost += len(ids)
	}
	return s
}
