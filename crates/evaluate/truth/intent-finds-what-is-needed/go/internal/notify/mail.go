package notify

// Mail is a letter and where it goes.
type Mail struct {
	To      string
	Subject string
	Body    string
}
