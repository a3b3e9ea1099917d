package httpapi

import (
	"net/http"

	"example.org/larder/internal/cache"
	"example.org/larder/internal/metrics"
	"example.org/larder/internal/peers"
)

// Replicate stores a value here and tells the other owners.
func Replicate(c *cache.Cache, ring *peers.Ring, counts *metrics.Registry, key string, value []byte) error {
	c.Put(key, value)
	counts.Add("replicated", 1)
	for _, peer := range peers.PickReplicas(<CURSOR: internal/peers/pick.go:PickReplicas>) {
		request, err := http.NewRequest(http.MethodPut, "http://"+peer+"/values/"+key, nil)
		if err != nil {
			return err
		}
		http.DefaultClient.Do(request)
	}
	return nil
}
