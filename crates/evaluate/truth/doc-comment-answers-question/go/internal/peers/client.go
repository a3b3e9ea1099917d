package peers

import (
	"fmt"
	"io"
	"net/http"
)

// Client asks other servers for values.
type Client struct {
	http *http.Client
	ring *Ring
}

// Fetch gets the value of a key from the server that owns it.
func (c *Client) Fetch(key string) ([]byte, error) {
	response, err := c.http.Get("http://" + c.ring.Owner(key) + "/values/" + key)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s: %s", key, response.Status)
	}
	return io.ReadAll(response.Body)
}
