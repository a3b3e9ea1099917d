package serving

// Scope is what one request may see.
type Scope struct {
	keys map[string]any
	path string
}

// Copy gives a scope that outlives its request.
func (s *Scope) Copy(path string) *Scope {
	keys := make(map[string]any, len(s.keys))
	for key, value := range s.keys {
		keys[key] = value
	}
	return &Scope{keys: keys, path: path}
}
