package main

import (
	"flag"
	"log/slog"
	"net/http"
	"os"

	"example.org/larder/internal/cache"
	"example.org/larder/internal/config"
	"example.org/larder/internal/httpapi"
)

func main() {
	path := flag.String("config", "larder.json", "settings")
	flag.Parse()
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	settings, err := config.Load(*path)
	if err != nil {
		log.Error("cannot start", "error", err)
		os.Exit(1)
	}
	handler := httpapi.NewHandler(cache.New(settings.TTL))
	server := &http.Server{Addr: settings.Listen, Handler: httpapi.Chain(handler, httpapi.Recover(log))}
	if err := server.ListenAndServe(); err != nil {
		log.Error("server stopped", "error", err)
	}
}
