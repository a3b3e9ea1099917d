package httpapi

import (
	"net/http"

	"example.org/larder/internal/limits"
)

// throttle answers 429 when a peer asks too often.
func throttle(bucket *limits.Bucket, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !bucket.Take(<CURSOR:>
		next.ServeHTTP(w, r)
	})
}
