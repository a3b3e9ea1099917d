package codec

import (
	"io"
	"net/http"
)

type cborCodec struct{}

func (cborCodec) Name() string {
	return "cbor"
}

func (cborCodec) Bind(req *http.Request, obj any) error {
	if req == nil || req.Body == nil {
		return ErrNoBody
	}
	return decodeCBOR(io.LimitReader(req.Body, maxBody), obj)
}

func (cborCodec) BindBody(body []byte, obj any) error {
	if len(body) > maxBody {
		return ErrTooLong
	}
	return decodeCBOR(bytesReader(body), obj)
}
