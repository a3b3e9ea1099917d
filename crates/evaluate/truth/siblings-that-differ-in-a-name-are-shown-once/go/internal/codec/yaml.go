package codec

import (
	"io"
	"net/http"
)

type yamlCodec struct{}

func (yamlCodec) Name() string {
	return "yaml"
}

func (yamlCodec) Bind(req *http.Request, obj any) error {
	if req == nil || req.Body == nil {
		return ErrNoBody
	}
	return decodeYAML(io.LimitReader(req.Body, maxBody), obj)
}

func (yamlCodec) BindBody(body []byte, obj any) error {
	if len(body) > maxBody {
		return ErrTooLong
	}
	return decodeYAML(bytesReader(body), obj)
}
