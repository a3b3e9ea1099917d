package httpapi

import (
	"net/http"

	"example.org/larder/internal/lifecycle"
)

// Ready answers 200 while the server takes requests.
func Ready(state func() lifecycle.State) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if state() == lifecycle.State<CURSOR: internal/lifecycle/state.go:State> {
			w.WriteHeader(http.StatusOK)
			return
		}
		w.WriteHeader(http.StatusServiceUnavailable)
	}
}
