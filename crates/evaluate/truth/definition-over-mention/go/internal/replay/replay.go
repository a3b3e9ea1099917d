// Package replay sends journaled requests again, no faster than a bucket allows.
package replay

import (
	"context"
	"time"

	"example.org/larder/internal/disk"
	"example.org/larder/internal/limits"
)

// Run replays a journal into send.
func Run(ctx context.Context, journal *disk.Journal, bucket *limits.Bucket, send func([]byte) error) error {
	return journal.Replay(func(record []byte) error {
		wait, ok := bucket.TakeWithin(<CURSOR: internal/limits/bucket.go:TakeWithin>)
		if !ok {
			return context.DeadlineExceeded
		}
		time.Sleep(wait)
		return send(record)
	})
}
