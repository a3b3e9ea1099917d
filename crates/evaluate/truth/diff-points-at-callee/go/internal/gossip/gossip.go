// Package gossip tells other servers what changed.
package gossip

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// Rumour is a key that changed.
type Rumour struct {
	Key     string    `json:"key"`
	Changed time.Time `json:"changed"`
}

// Sender posts rumours.
type Sender struct {
	client  *http.Client
	targets []string
}

// Send posts a rumour to each target.
func (s *Sender) Send(rumour Rumour) error {
	for _, target := range s.targets {
<TYPED>		if !s.health.Healthy(target, time.Minute, time.Now()) {
			continue
		}
</TYPED>		if err := s.post(target, rumour); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sender) post(target string, rumour Rumour) error {
	body, err := json.Marshal(rumour)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(http.MethodPost, target+"/rumours", nopReader(body))
	if err != nil {
		return err
	}
	response, err := s.client.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", target, err)
	}
	defer response.Body.Close()
	io.Copy(io.Discard, response.Body)
	return nil
}

// Older says whether a rumour is older than another of the same key.
func (r Rumour) Older(other Rumour) bool {
	return r.Key == other.Key && r.Changed.Before(other.Changed)
}

// Merge keeps the newest rumour of each key.
func Merge(rumours []Rumour) map[string]Rumour {
	newest := map[string]Rumour{}
	for _, rumour := range rumours {
		known, ok := newest[rumour.Key]
		if !ok || known.Older(rumour) {
			newest[rumour.Key] = rumour
		}
	}
	return newest
}

// NewSender posts to targets.
func NewSender(client *http.Client, targets []string<CURSOR:>) *Sender {
	return &Sender{client: client, targets: targets}
}
