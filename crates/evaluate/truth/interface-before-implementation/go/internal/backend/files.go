package backend

import (
	"context"
	"os"
	"path/filepath"
)

// Files is a source that fetches from a directory.
type Files struct {
	root string
}

// Fetch implements Source: it fetches the key below the root.
func (f *Files) Fetch(ctx context.Context, key string, minVersion uint64) ([]byte, uint64, error) {
	value, err := os.ReadFile(filepath.Join(f.root, key))
	if os.IsNotExist(err) {
		return nil, 0, ErrMissing
	}
	return value, 1, err
}
