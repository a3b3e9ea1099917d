package larder

// inGrams weighs what is on a shelf.
func inGrams(shelf string, tare int) int {
	return len(shelf)*100 - tare
}
