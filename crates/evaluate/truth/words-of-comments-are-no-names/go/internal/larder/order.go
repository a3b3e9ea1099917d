package larder

// Defines how much is ordered: the Function of the weight.
// It Defines a Function, no more.
func order(shelf string) int {
	// Defines and Function
	return 5000 - inGrams(<CURSOR: internal/larder/weigh.go:inGrams>
}
