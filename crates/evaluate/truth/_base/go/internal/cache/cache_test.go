package cache

import (
	"testing"
	"time"
)

func TestStaleEntriesAreNotReturned(t *testing.T) {
	clock := time.Unix(0, 0)
	c := New(time.Minute)
	c.now = func() time.Time { return clock }
	c.Put("a", []byte("1"))
	if _, ok := c.Get("a"); !ok {
		t.Fatal("a fresh entry is missing")
	}
	clock = clock.Add(2 * time.Minute)
	if _, ok := c.Get("a"); ok {
		t.Fatal("a stale entry was returned")
	}
}

func TestSweepCountsWhatItDrops(t *testing.T) {
	clock := time.Unix(0, 0)
	c := New(time.Minute)
	c.now = func() time.Time { return clock }
	c.Put("a", nil)
	c.Put("b", nil)
	clock = clock.Add(2 * time.Minute)
	if n := c.Sweep(); n != 2 {
		t.Fatalf("swept %d entries", n)
	}
}
