// Package p does.
package p

import (
	"fmt"
	x "a/b"
)

// T is.
type T struct {
	A int `json:"a"`
}

// F does.
func (t *T) F(a, b int) (int, error) {
	for i := range b {
		fmt.Println(i)
	}
	return a, nil
}

const (
	C = iota
	D
)
