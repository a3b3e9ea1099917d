package codec

import (
	"io"
	"net/http"
)

type msgpackCodec struct{}

func (msgpackCodec) Name() string {
	return "msgpack"
}

func (msgpackCodec) Bind(req *http.Request, obj any) error {
	if req == nil || req.Body == nil {
		return ErrNoBody
	}
	return decodeMSGPACK(io.LimitReader(req.Body, maxBody), obj)
}

func (msgpackCodec) BindBody(body []byte, obj any) error {
	if len(body) > maxBody {
		return ErrTooLong
	}
	return decodeMSGPACK(bytesReader(body), obj)
}
