// Package status renders the status page.
package status

import (
	"fmt"
	"io"

	"example.org/larder/internal/metrics"
)

// Journals is the part of the page on disk.
type Journals struct {
	Path   string
	Number int
	Bytes  int64
	Limit  int64
}

// Write says how long the journal is and when it is rotated: at its limit of bytes, to a path with the next number.
func (j Journals) Write(w io.Writer) {
	fmt.Fprintf(w, "journal %s: %d of %d bytes\n", j.Path, j.Bytes, j.Limit)
	if j.Bytes > j.Limit {
		fmt.Fprintf(w, "rotate to %s.%d\n", j.Path, j.Number+1)
	}
}

// Title is the heading of the page.
func Title(host string) string {
	return "larder on " + host
}

// Uptime in words.
func Uptime(seconds int) string {
	switch {
	case seconds < 60:
		return "just started"
	case seconds < 3600:
		return fmt.Sprintf("%d minutes", seconds/60)
	default:
		return fmt.Sprintf("%d hours", seconds/3600)
	}
}

// Table renders rows of two columns.
func Table(w io.Writer, rows [][2]string) {
	for _, row := range rows {
		fmt.Fprintf(w, "%-20s %s\n", row[0], row[1])
	}
}

// Latency writes a histogram's median and its 95th percentile, each the upper bound of a bucket.
func Latency(w io.Writer, histogram *metrics.Histogram) {
	median := histogram.<CURSOR: internal/metrics/histogram.go:Quantile>
	fmt.Fprintf(w, "median %.3f\n", median)
}
