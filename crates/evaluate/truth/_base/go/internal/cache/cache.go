// Package cache keeps values in memory for a while.
package cache

import (
	"sync"
	"time"
)

// Entry is a value with the time at which it goes stale.
type Entry struct {
	Value   []byte
	Expires time.Time
}

// Cache is safe for use by several goroutines.
type Cache struct {
	mu      sync.RWMutex
	entries map[string]Entry
	ttl     time.Duration
	now     func() time.Time
}

// New makes an empty cache whose entries live for ttl.
func New(ttl time.Duration) *Cache {
	return &Cache{entries: map[string]Entry{}, ttl: ttl, now: time.Now}
}

// Get returns a value that is not stale.
func (c *Cache) Get(key string) ([]byte, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	entry, ok := c.entries[key]
	if !ok || c.now().After(entry.Expires) {
		return nil, false
	}
	return entry.Value, true
}

// Put stores a value.
func (c *Cache) Put(key string, value []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.entries[key] = Entry{Value: value, Expires: c.now().Add(c.ttl)}
}

// Sweep drops what is stale and says how much that was.
func (c *Cache) Sweep() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	dropped := 0
	for key, entry := range c.entries {
		if c.now().After(entry.Expires) {
			delete(c.entries, key)
			dropped++
		}
	}
	return dropped
}
