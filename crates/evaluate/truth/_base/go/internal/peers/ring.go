// Package peers says which server holds which key.
package peers

import (
	"hash/fnv"
	"sort"
	"strconv"
)

// Ring is a consistent hash ring.
type Ring struct {
	points []uint32
	owners map[uint32]string
}

// NewRing places each peer at several points.
func NewRing(peers []string, replicas int) *Ring {
	ring := &Ring{owners: map[uint32]string{}}
	for _, peer := range peers {
		for i := 0; i < replicas; i++ {
			point := hash(peer + "#" + strconv.Itoa(i))
			ring.points = append(ring.points, point)
			ring.owners[point] = peer
		}
	}
	sort.Slice(ring.points, func(a, b int) bool { return ring.points[a] < ring.points[b] })
	return ring
}

// Owner is the peer that holds key.
func (r *Ring) Owner(key string) string {
	if len(r.points) == 0 {
		return ""
	}
	point := hash(key)
	i := sort.Search(len(r.points), func(i int) bool { return r.points[i] >= point })
	if i == len(r.points) {
		i = 0
	}
	return r.owners[r.points[i]]
}

func hash(text string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(text))
	return h.Sum32()
}
