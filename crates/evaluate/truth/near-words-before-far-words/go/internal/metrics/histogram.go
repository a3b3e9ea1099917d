package metrics

import "sort"

// Histogram counts durations in buckets.
type Histogram struct {
	bounds []float64
	counts []int64
}

// Quantile is the upper bound of the bucket that holds the given share of what was observed.
func (h *Histogram) Quantile(share float64) float64 {
	var total, seen int64
	for _, n := range h.counts {
		total += n
	}
	i := sort.Search(len(h.counts), func(i int) bool {
		seen += h.counts[i]
		return float64(seen) >= share*float64(total)
	})
	return h.bounds[min(i, len(h.bounds)-1)]
}
