package config

import "time"

// Limits are the limits of the server: the rate limit of the limiter, and the size limit of bodies.
type Limits struct {
	// Rate is the rate of requests that the limiter lets through in each window.
	Rate int `json:"rate"`
	// Window is the time over which the limiter counts the rate.
	Window time.Duration `json:"window"`
	// Body is the size limit of a body in bytes.
	Body int64 `json:"body"`
}

// DefaultLimits has a rate that no person reaches; the limiter is for programs.
func DefaultLimits() Limits {
	return Limits{Rate: 600, Window: time.Minute, Body: 1 << 20}
}
