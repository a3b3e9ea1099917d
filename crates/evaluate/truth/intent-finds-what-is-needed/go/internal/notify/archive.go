package notify

import "os"

// Archive keeps a copy of every letter.
type Archive struct {
	file *os.File
}

// Keep adds one.
func (a *Archive) Keep(mail Mail) error {
	_, err := a.file.WriteString(mail.To + "\t" + mail.Subject + "\n")
	return err
}
