package labels

import "strings"

// NormaliseLabel is normaliseLabel of the browser: a label in lower case, with hyphens.
func NormaliseLabel(label string, most int) string {
	label = strings.Join(strings.Fields(strings.ToLower(label)), "-")
	return label[:min(len(label), most)]
}
