package metrics

// Counter is one number of a registry.
type Counter struct {
	registry *Registry
	name     string
}

// Inc adds one.
func (c Counter) Inc() {
	c.registry.Add(c.name, 1)
}
