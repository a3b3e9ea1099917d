package notify

import "time"

// PauseAfter says how long to wait before the next attempt: twice as long after every failure, a minute at the most.
func PauseAfter(failures int) time.Duration {
	pause := time.Second << failures
	if pause > time.Minute {
		return time.Minute
	}
	return pause
}
