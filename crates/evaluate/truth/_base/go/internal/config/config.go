// Package config reads the server's settings.
package config

import (
	"encoding/json"
	"fmt"
	"os"
	"time"
)

// Config holds all settings.
type Config struct {
	Listen      string        `json:"listen"`
	TTL         time.Duration `json:"ttl"`
	MaxEntries  int           `json:"max_entries"`
	LogRequests bool          `json:"log_requests"`
}

// Default is what an empty file means.
func Default() Config {
	return Config{Listen: ":8080", TTL: 5 * time.Minute, MaxEntries: 10000}
}

// Load reads a file; missing fields keep their defaults.
func Load(path string) (Config, error) {
	config := Default()
	file, err := os.Open(path)
	if err != nil {
		return config, fmt.Errorf("open settings: %w", err)
	}
	defer file.Close()
	if err := json.NewDecoder(file).Decode(&config); err != nil {
		return config, fmt.Errorf("settings in %s: %w", path, err)
	}
	return config, nil
}
