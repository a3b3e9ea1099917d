package codec

import (
	"io"
	"net/http"
)

type xmlCodec struct{}

func (xmlCodec) Name() string {
	return "xml"
}

func (xmlCodec) Bind(req *http.Request, obj any) error {
	if req == nil || req.Body == nil {
		return ErrNoBody
	}
	return decodeXML(io.LimitReader(req.Body, maxBody), obj)
}

func (xmlCodec) BindBody(body []byte, obj any) error {
	if len(body) > maxBody {
		return ErrTooLong
	}
	return decodeXML(bytesReader(body), obj)
}
