// Package codec turns entries into bytes and back.
package codec

import (
	"encoding/binary"
	"time"

	"example.org/larder/internal/cache"
)

// EncodeEntry writes the time at which the entry goes stale, then its value.
func EncodeEntry(entry cache.Entry) []byte {
	encoded := binary.BigEndian.AppendUint64(nil, uint64(entry.Expires.UnixNano()))
	return append(encoded, entry.Value...)
}

// DecodeEntry is the reverse of EncodeEntry.
func DecodeEntry(encoded []byte) cache.Entry {
	nanos := int64(binary.BigEndian.Uint64(encoded))
	return cache.Entry{Value: encoded[8:], Expires: time.Unix(0, nanos)}
}
