package probe

import "hash/crc32"

// check says whether a value has the checksum that was sent with it.
func check(value []byte, sum uint32) bool {
	return crc32.ChecksumIEEE(value) == sum
}
