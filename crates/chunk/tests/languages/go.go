// Package server serves.
package server

import "fmt"
//     ^ import fmt
import (
	"net/http"
	// <- import net/http
	log "github.com/x/logrus"
	// <- import github.com/x/logrus as log
	. "math"
	// <- import math (*)
	_ "embed"
	// <- import embed
)

// Limit is a limit.
const Limit = 10
//    ^ definition.constant (doc)

const (
	// A is first.
	A = iota
	// <- definition.constant (doc)
	B
	// <- definition.constant
)

var x, y int = 1, 2
//  ^ definition.constant
//     ^ definition.constant
// ~ type int

// Server serves.
type Server struct {
//   ^ definition.class (doc, body)
//   ^ begins type Server
//   ^ body { http.Handler
	http.Handler
	// ~ base Handler
	*Base
	// ~ base Base
	// Addr is where.
	Addr, Host string `json:"addr"`
	// <- definition.field in Server (doc)
	//    ^ definition.field in Server (doc)
	// ~ type string
	opts map[string]Option
	// <- definition.field in Server
	// ~ type string, type Option
}

type (
	ID int
	// <- definition.type
	// ~ type int
	Alias = string
	// <- definition.type
	// ~ type string
	// Handler handles.
	Handler interface {
	// <- definition.interface (doc, body)
		io.Reader
		// ~ base Reader
		Handle(r *http.Request) error
		// <- definition.method in Handler
		// ~ type Request, type error
	}
)

// Handle handles.
func (s *Server) Handle(r *http.Request) error {
//               ^ definition.method of Server (doc, body)
//               ^ signature func (s *Server) Handle(r *http.Request) error
//               ^ doc // Handle handles.
// ~ type Server, type Request, type error
	local := 1
	var other int
	// ~ type int
	go func() {
		var deep = compute(local)
		// ~ call compute
		fmt.Println(deep)
		// ~ call Println
	}()
	return s.inner.do(&Options{Name: "x"})
	// ~ call do, type Options
}

func Map[T any, U Number](in []T, f func(T) U) []U {
//   ^ definition.function (body)
// ~ type any, type Number, type T, type T, type U, type U
	return make([]U, 0)
	// ~ call make, type U
}

func (e *Engine[T]) Copy() *Engine[T] { return e }
//                  ^ definition.method of Engine (body)
// ~ type Engine, type T, type Engine, type T
