package rating

import "time"

// Tag is a change of the words about a result's system, after it was measured.
type Tag struct {
	At time.Time `json:"at"`
	// The words before; left out if there were none.
	Was *System `json:"was,omitempty"`
	// Digest of the document before; left out if it had none.
	Digest string `json:"was_digest,omitempty"`
}

// Retag changes the words about the system, and keeps those that were there. Nil stands for no words.
func (i *Identity) Retag(system *System, at time.Time) {
	tags := append(i.Tags[:len(i.Tags):len(i.Tags)], Tag{At: at, Was: i.System, Digest: i.Digest})
	i.Tags, i.Digest, i.System = tags, "", system
}

// First returns the digest of the document as it was before all changes of the system's words; empty if it had none.
func (i *Identity) First() string {
	if len(i.Tags) > 0 {
		return i.Tags[0].Digest
	}
	return i.Digest
}

// Untag takes the last change back. It reports whether there was one.
func (i *Identity) Untag() bool {
	last := len(i.Tags) - 1
	if last < 0 {
		return false
	}
	t := i.Tags[last]
	i.Tags, i.Digest, i.System = i.Tags[:last:last], t.Digest, t.Was
	if last == 0 {
		i.Tags = nil
	}
	return true
}
