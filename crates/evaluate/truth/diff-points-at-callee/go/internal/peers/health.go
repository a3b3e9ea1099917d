package peers

import (
	"sync"
	"time"
)

// Health remembers which peers answered lately.
type Health struct {
	mu   sync.Mutex
	seen map[string]time.Time
}

// Healthy says whether a peer answered within the last while.
func (h *Health) Healthy(peer string, within time.Duration, now time.Time) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, ok := h.seen[peer]
	return ok && now.Sub(at) < within
}
