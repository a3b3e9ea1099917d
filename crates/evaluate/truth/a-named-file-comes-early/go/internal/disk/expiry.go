package disk

// Expired says whether an entry of the cache is past its time. The cache returns no expired entry.
func Expired(entry Entry, now int64) bool {
	return entry.Until < now
}

// ReturnsExpired counts the expired entries that the cache returns.
func ReturnsExpired(entries []Entry, now int64) int {
	n := 0
	for _, entry := range entries {
		if Expired(entry, now) {
			n++
		}
	}
	return n
}
