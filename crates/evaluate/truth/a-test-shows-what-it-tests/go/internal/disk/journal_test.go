package disk

import (
	"path/filepath"
	"testing"
)

func TestRecordsComeBackInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	<CURSOR: internal/disk/journal.go:Journal>
}
