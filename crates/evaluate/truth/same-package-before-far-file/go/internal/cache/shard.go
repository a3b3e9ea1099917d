package cache

import "hash/fnv"

const shardCount = 16

type shards [shardCount]*Cache

// pickShard is the shard that holds key.
func pickShard(all *shards, key string) *Cache {
	h := fnv.New32a()
	h.Write([]byte(key))
	return all[h.Sum32()%shardCount]
}
