package disk

import (
	"fmt"
	"os"
)

// Rotate renames a journal once it is longer than limit, and opens a new journal for the next records.
func Rotate(journal *Journal, path string, limit int64) (*Journal, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() < limit {
		return journal, err
	}
	if err := os.Rename(path, fmt.Sprintf("%s.old", path)); err != nil {
		return nil, err
	}
	return Open(path)
}
