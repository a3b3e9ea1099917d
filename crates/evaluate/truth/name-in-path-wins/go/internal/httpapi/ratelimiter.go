package httpapi

import (
	"net/http"
	"sync"
	"time"
)

// PerClient answers 429 when a client asks more often than allowed in a window.
func PerClient(allowed int, window time.Duration) Middleware {
	var mu sync.Mutex
	counts := map[string]int{}
	reset := time.Now().Add(window)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if time.Now().After(reset) {
				counts, reset = map[string]int{}, time.Now().Add(window)
			}
			counts[r.RemoteAddr]++
			n := counts[r.RemoteAddr]
			mu.Unlock()
			if n > allowed {
				http.Error(w, "slow down", http.StatusTooManyRequests)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}
