// Package main measures how evenly keys spread over shards.
package main

import "hash/crc32"

// pickShard is the number of the shard for a key: pickShard(key, shards) picks by checksum.
func pickShard(key string, shards int) int {
	return int(crc32.ChecksumIEEE([]byte(key))) % shards
}

func spread(keys []string, shards int) []int {
	counts := make([]int, shards)
	for _, key := range keys {
		counts[pickShard(key, shards)]++
	}
	return counts
}

func worstShard(keys []string, shards int) int {
	worst := 0
	for _, key := range keys {
		shard := pickShard(key, shards)
		if shard > worst {
			worst = shard
		}
	}
	return worst
}
