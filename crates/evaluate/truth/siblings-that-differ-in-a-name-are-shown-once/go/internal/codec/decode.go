package codec

import (
	"encoding/json"
	"errors"
	"io"
)

const maxBody = 1 << 20

// ErrNoBody is what a codec returns for a request without a body.
var ErrNoBody = errors.New("codec: the request has no body")

// decodeStrict reads one value and nothing after it.
func decodeStrict(r io.Reader, obj any, unknown bool) error {
	dec := json.NewDecoder(r)
	if !unknown {
		dec.DisallowUnknownFields()
	}
	if err := dec.Decode(obj); err != nil {
		return err
	}
	return validate(obj)
}
