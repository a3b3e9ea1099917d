// Package httpapi serves the cache over HTTP.
package httpapi

import (
	"io"
	"net/http"
	"strings"

	"example.org/larder/internal/cache"
)

// Handler answers GET and PUT below /values/.
type Handler struct {
	cache *cache.Cache
}

// NewHandler serves the given cache.
func NewHandler(c *cache.Cache) *Handler {
	return &Handler{cache: c}
}

func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key := strings.TrimPrefix(r.URL.Path, "/values/")
	switch r.Method {
	case http.MethodGet:
		h.get(w, key)
	case http.MethodPut:
		h.put(w, r, key)
	default:
		http.Error(w, "use GET or PUT", http.StatusMethodNotAllowed)
	}
}

func (h *Handler) get(w http.ResponseWriter, key string) {
	value, ok := h.cache.Get(key)
	if !ok {
		http.Error(w, "no such value", http.StatusNotFound)
		return
	}
	w.Write(value)
}

func (h *Handler) put(w http.ResponseWriter, r *http.Request, key string) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	h.cache.Put(key, body)
	w.WriteHeader(http.StatusNoContent)
}
