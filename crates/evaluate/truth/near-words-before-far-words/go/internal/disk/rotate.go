package disk

import (
	"fmt"
	"os"
)

// Rotate renames a journal once it is longer than limit bytes, and opens a new journal.
func Rotate(journal *Journal, path string, limit int64, number int) (*Journal, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() < limit {
		return journal, err
	}
	if err := os.Rename(path, fmt.Sprintf("%s.%d", path, number)); err != nil {
		return nil, err
	}
	return Open(path)
}
