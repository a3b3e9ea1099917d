package httpapi

import "net/http"

// defaults are set on every answer.
var defaults = map[string]string{
	"Cache-Control": "no-store",
	"Server":        "larder",
}

func setDefaults(w http.ResponseWriter) {
	for name, value := range defaults {
		w.Header().Set(name, value)
	}
}
