package serving

// Engine answers requests by its routes.
type Engine struct {
	routes map[string]string
	limit  int
}

// Copy gives an engine that can be changed without changing this one.
func (e *Engine) Copy(limit int) *Engine {
	routes := make(map[string]string, len(e.routes))
	for path, target := range e.routes {
		routes[path] = target
	}
	return &Engine{routes: routes, limit: limit}
}
