package httpapi

import "net/http"

// Health says whether the server takes requests.
type Health struct {
	draining func() bool
}

func (h *Health) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	<CURSOR: internal/httpapi/stats.go:ServeHTTP#1; internal/httpapi/handler.go:ServeHTTP>
}
