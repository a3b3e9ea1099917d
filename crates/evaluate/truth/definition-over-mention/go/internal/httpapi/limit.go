package httpapi

import (
	"net/http"
	"time"

	"example.org/larder/internal/limits"
)

// Limited lets requests through as the bucket has tokens: TakeWithin decides.
func Limited(bucket *limits.Bucket, patience time.Duration) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			wait, ok := bucket.TakeWithin(1, patience, time.Now())
			if !ok {
				http.Error(w, "too many requests", http.StatusTooManyRequests)
				return
			}
			time.Sleep(wait)
			next.ServeHTTP(w, r)
		})
	}
}
