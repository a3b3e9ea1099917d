package httpapi

import "net/http"

// Stats serves counters.
type Stats struct {
	write func(http.ResponseWriter)
}

func (s *Stats) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.write(w)
}
