// Package probe asks other servers whether they live.
package probe

import (
	"context"
	"net/http"
	"time"
)

// Healthcheck asks a server, and says how long the answer took.
func Healthcheck(ctx context.Context, client *http.Client, host string) (time.Duration, error) {
	start := time.Now()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+"/ready", nil)
	if err != nil {
		return 0, err
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	return time.Since(start), response.Body.Close()
}
