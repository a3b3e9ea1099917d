package larder

// Defines is a kind of entry.
func Defines(entry string) bool { return len(entry) > 3 }

// Function is another.
func Function(entry string) bool { return len(entry) > 7 }
