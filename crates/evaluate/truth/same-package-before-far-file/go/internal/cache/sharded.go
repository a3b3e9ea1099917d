package cache

import "time"

// Sharded is a cache whose locks are rarely contended.
type Sharded struct {
	all shards
}

// NewSharded makes one whose entries live for ttl.
func NewSharded(ttl time.Duration) *Sharded {
	s := &Sharded{}
	for i := range s.all {
		s.all[i] = New(ttl)
	}
	return s
}

// Get returns a value that is not stale.
func (s *Sharded) Get(key string) ([]byte, bool) {
	shard := pickShard(<CURSOR: internal/cache/shard.go:pickShard>)
	return shard.Get(key)
}
