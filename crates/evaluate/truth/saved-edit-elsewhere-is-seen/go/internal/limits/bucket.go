// Package limits bounds how often peers may ask.
package limits

import "time"

// Bucket holds tokens that refill over time.
type Bucket struct {
	tokens int
	filled time.Time
}

<REMOVED>// Take takes n tokens, or none.
func (b *Bucket) Take(n int) bool {
	if b.tokens < n {
		return false
	}
	b.tokens -= n
	return true
}
</REMOVED><ADDED>// TakeWithin takes n tokens, and waits for them until the deadline.
func (b *Bucket) TakeWithin(n int, deadline time.Time) error {
	for b.tokens < n {
		if time.Now().After(deadline) {
			return ErrTooBusy
		}
		b.refill()
	}
	b.tokens -= n
	return nil
}
</ADDED>
func (b *Bucket) refill() {
	b.tokens++
	b.filled = time.Now()
}
