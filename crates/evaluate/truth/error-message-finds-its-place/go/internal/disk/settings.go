package disk

import "fmt"

// checkPath says whether a path of the settings can be used: it must not end in .json.
func checkPath(path string) error {
	if len(path) > 5 && path[len(path)-5:] == ".json" {
		return fmt.Errorf("%s: the input must not be JSON", path)
	}
	return nil
}
