// Package metrics counts what happens.
package metrics

import (
	"fmt"
	"io"
	"sort"
	"sync"
)

// Registry holds counters by name.
type Registry struct {
	mu       sync.Mutex
	counters map[string]int64
}

// NewRegistry makes an empty registry.
func NewRegistry() *Registry {
	return &Registry{counters: map[string]int64{}}
}

// Add raises a counter.
func (r *Registry) Add(name string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counters[name] += n
}

// Write prints all counters by name, one a line.
func (r *Registry) Write(w io.Writer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	names := make([]string, 0, len(r.counters))
	for name := range r.counters {
		names = append(names, name)
	}
	sort.Strings(names)
	for _, name := range names {
		fmt.Fprintf(w, "%s %d\n", name, r.counters[name])
	}
}
