package resultfile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
)

// errLayout is the error of a document whose bytes are not those of Write.
var errLayout = errors.New("it was laid out anew since it was written")

// parted is a document with its head apart from the rest, whose bytes stay as they are.
type parted struct {
	rating.Identity
	rest []byte
}

// parts takes the head off a document that Write wrote.
func parts(text []byte) (*parted, error) {
	var p parted
	if err := json.Unmarshal(text, &p.Identity); err != nil {
		return nil, err
	}
	head, err := p.head()
	if err != nil {
		return nil, err
	}
	rest, found := bytes.CutPrefix(text, head)
	if !found {
		return nil, errLayout
	}
	p.rest = rest
	return &p, nil
}

// head returns the text of the head as Write writes it.
func (p *parted) head() ([]byte, error) {
	text, err := json.MarshalIndent(p.Identity, "", indent)
	return bytes.TrimSuffix(text, []byte("\n}")), err
}

// sum returns the digest of the document.
func (p *parted) sum() (string, error) {
	bare := *p
	bare.Digest = ""
	head, err := bare.head()
	if err != nil {
		return "", err
	}
	sum := sha256.New()
	sum.Write(head)
	sum.Write(p.rest)
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Rehead returns a document with another head and a new digest. All other bytes stay as they are.
func Rehead(text []byte, change func(*rating.Identity)) ([]byte, error) {
	p, err := parts(text)
	if err != nil {
		return nil, err
	}
	change(&p.Identity)
	if p.Digest, err = p.sum(); err != nil {
		return nil, err
	}
	head, err := p.head()
	return append(head, p.rest...), err
}

// CheckTags proves that nothing but the words about the system has changed since a document was first written: taken
// back one by one, its tags must give the documents whose digests they name.
func CheckTags(text []byte) error {
	p, err := parts(text)
	if err != nil {
		return fmt.Errorf("tags: %w", err)
	}
	for n := len(p.Tags); p.Untag(); n-- {
		want := p.Digest
		if have, err := p.sum(); err != nil {
			return err
		} else if want != "" && have != want {
			return fmt.Errorf("tags: before tag %d the digest was %q, without the tag it is %q: more was changed than "+
				"the words about the system", n, want, have)
		}
	}
	return nil
}
