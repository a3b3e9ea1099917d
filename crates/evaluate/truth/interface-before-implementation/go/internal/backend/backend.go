// Package backend says where values come from that are not in memory.
package backend

import "context"

// Source fetches a value by its key.
type Source interface {
	// Fetch returns the value and its version; ErrMissing when there is none.
	Fetch(ctx context.Context, key string, minVersion uint64) (value []byte, version uint64, err error)
}
