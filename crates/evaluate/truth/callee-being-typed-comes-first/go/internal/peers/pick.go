package peers

// PickReplicas lists up to n peers for a key, the owner first, leaving out those that skip says.
func PickReplicas(ring *Ring, key string, n int, skip func(peer string) bool) []string {
	var picked []string
	for i := 0; i < len(ring.points) && len(picked) < n; i++ {
		peer := ring.owners[ring.points[i]]
		if !skip(peer) {
			picked = append(picked, peer)
		}
	}
	return picked
}
