// Package lifecycle says what the server is doing.
package lifecycle

// State is what the server is doing.
type State int

// The states, in the order in which they are passed through.
const (
	StateStarting State = iota
	StateServing
	StateDraining
	StateStopped
)

// Accepts says whether new requests are taken.
func (s State) Accepts() bool {
	return s == StateServing
}
