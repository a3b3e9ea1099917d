// Package replay reads what was written.
package replay

import "example.org/larder/internal/disk"

// All calls found for each record of a journal.
func All(journal *disk.Journal, found func(record []byte) error) error {
	return journal.Replay(found)
}

// Count is how many records a journal has.
func Count(journal *disk.Journal) (int, error) {
	n := 0
	err := journal.Replay(func([]byte) error {
		n++
		return nil
	})
	return n, err
}
