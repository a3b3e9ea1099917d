package codec

import (
	"io"
	"net/http"
)

type tomlCodec struct{}

func (tomlCodec) Name() string {
	return "toml"
}

func (tomlCodec) Bind(req *http.Request, obj any) error {
	if req == nil || req.Body == nil {
		return ErrNoBody
	}
	return decodeTOML(io.LimitReader(req.Body, maxBody), obj)
}

func (tomlCodec) BindBody(body []byte, obj any) error {
	if len(body) > maxBody {
		return ErrTooLong
	}
	return decodeTOML(bytesReader(body), obj)
}
