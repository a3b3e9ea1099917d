package notify

// Send hands a letter over.
func Send(mail Mail, post func(Mail) error) error {
	<CURSOR: internal/notify/pause.go:PauseAfter>
}
