package socket

import (
	"encoding/json"
	"net/http"
	"time"

	"chancery/events"
)

// A step is one line of the answer to a rebuild. The last one is Done or an Error.
type step struct {
	At    events.Position `json:"at,omitempty"`
	Last  events.Position `json:"last,omitempty"`
	Done  bool            `json:"done,omitempty"`
	Error string          `json:"error,omitempty"`
}

// rebuild answers with steps as they are taken. Who hangs up ends the rebuild.
func (h handler) rebuild(w http.ResponseWriter, r *http.Request) {
	if h.Rebuild == nil {
		http.NotFound(w, r)
		return
	}
	out, flush := json.NewEncoder(w), http.NewResponseController(w).Flush
	var told time.Time
	err := h.Rebuild(r.Context(), r.FormValue("name"), func(at, last events.Position) {
		if at < last && time.Since(told) < 100*time.Millisecond {
			return
		}
		told = time.Now()
		_ = out.Encode(step{At: at, Last: last}) // who has hung up ends the context
		_ = flush()
	})
	end := step{Done: err == nil}
	if err != nil {
		end.Error = err.Error()
	}
	_ = out.Encode(end)
}
