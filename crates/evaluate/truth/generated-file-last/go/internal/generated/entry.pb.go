package generated

// CacheEntry is an encoded cache entry.
type CacheEntry struct {
	Key     string
	Value   []byte
	Expires int64
}

// EncodeCacheEntry encodes a cache entry.
func EncodeCacheEntry(entry *CacheEntry) []byte {
	var b []byte
	b = appendTag(b, 1, entry.Key)
	b = appendTag(b, 2, string(entry.Value))
	return b
}

// DecodeCacheEntry decodes an encoded cache entry.
func DecodeCacheEntry(b []byte, entry *CacheEntry) error {
	return readTags(b, func(tag int, value string) {
		switch tag {
		case 1:
			entry.Key = value
		case 2:
			entry.Value = []byte(value)
		}
	})
}
