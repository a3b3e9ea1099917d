// Package tiered looks in memory first.
package tiered

import (
	"context"

	"example.org/larder/internal/backend"
	"example.org/larder/internal/cache"
)

// Store is a cache before a source.
type Store struct {
	cache  *cache.Cache
	source backend.Source
}

// Get returns a value from memory or from the source.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	if value, ok := s.cache.Get(key); ok {
		return value, nil
	}
	value, version, err := s.source.Fetch(<CURSOR: internal/backend/backend.go:Source>)
	if err != nil {
		return nil, err
	}
	s.cache.Put(key, value)
	return value, nil
}
