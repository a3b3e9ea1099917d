package main

import (
	"io"
	"os"

	"example.org/larder/internal/serving"
)

func replay(source io.Reader, engine *serving.Engine) error {
	var recorded io.Reader = io.TeeReader(source, os.Stderr)
	again := engine.Copy(<CURSOR: internal/serving/engine.go:Copy>
	_ = recorded
	return nil
}
