package codec

import (
	"io"
	"net/http"
)

type jsonCodec struct{}

func (jsonCodec) Name() string {
	return "json"
}

func (jsonCodec) Bind(req *http.Request, obj any) error {
	<CURSOR: internal/codec/decode.go>
}
