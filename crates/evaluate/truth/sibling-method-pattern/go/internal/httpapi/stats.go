package httpapi

import (
	"encoding/json"
	"net/http"

	"example.org/larder/internal/metrics"
)

// Stats serves counters.
type Stats struct {
	registry *metrics.Registry
}

func (s *Stats) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet {
		http.Error(w, "use GET", http.StatusMethodNotAllowed)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	s.registry.Write(w)
}

// Peers serves the names of the other servers.
type Peers struct {
	names []string
}

func (p *Peers) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(p.names)
}
