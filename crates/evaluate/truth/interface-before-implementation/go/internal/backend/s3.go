package backend

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
)

// ErrMissing is returned for keys that are not there.
var ErrMissing = errors.New("no such key")

// S3 is a source that fetches from a bucket.
type S3 struct {
	bucket string
	client *http.Client
}

// Fetch implements Source: it fetches the key of the bucket.
func (s *S3) Fetch(ctx context.Context, key string, minVersion uint64) ([]byte, uint64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.bucket+"/"+key, nil)
	if err != nil {
		return nil, 0, err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusNotFound {
		return nil, 0, ErrMissing
	}
	value, err := io.ReadAll(response.Body)
	version, _ := strconv.ParseUint(response.Header.Get("x-version"), 10, 64)
	return value, version, err
}
