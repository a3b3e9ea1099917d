// Package limits keeps clients from asking too often.
package limits

import (
	"sync"
	"time"
)

// Bucket holds tokens that refill with time.
type Bucket struct {
	mu     sync.Mutex
	tokens float64
	burst  float64
	rate   float64
	last   time.Time
}

// NewBucket makes a full bucket that refills at rate tokens a second up to burst.
func NewBucket(rate, burst float64, now time.Time) *Bucket {
	return &Bucket{tokens: burst, burst: burst, rate: rate, last: now}
}

// TakeWithin takes n tokens and says how long the caller must wait for them; false when that is longer than patience.
func (b *Bucket) TakeWithin(n float64, patience time.Duration, now time.Time) (time.Duration, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tokens = min(b.burst, b.tokens+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	wait := time.Duration((n - b.tokens) / b.rate * float64(time.Second))
	if wait > patience {
		return 0, false
	}
	b.tokens -= n
	return max(wait, 0), true
}
