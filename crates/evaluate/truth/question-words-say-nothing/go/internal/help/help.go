// Package help answers how and when.
package help

// How does it work, and when does it not.
func How(does string, when string) string {
	switch does {
	case "when":
		return "when the server is up"
	case "how":
		return "how it does: see the server"
	}
	return does + " " + when
}
