package limits

import (
	"testing"
	"time"
)

func TestTakeWithin(t *testing.T) {
	start := time.Unix(0, 0)
	b := NewBucket(1, 2, start)
	if wait, ok := b.TakeWithin(2, 0, start); !ok || wait != 0 {
		t.Fatalf("TakeWithin of a full bucket: %v %v", wait, ok)
	}
	if _, ok := b.TakeWithin(1, 0, start); ok {
		t.Fatal("TakeWithin of an empty bucket without patience")
	}
	if wait, ok := b.TakeWithin(1, time.Second, start); !ok || wait != time.Second {
		t.Fatalf("TakeWithin with patience: %v %v", wait, ok)
	}
}
