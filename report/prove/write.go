package prove

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// Form defines how a benchmark's documents are written: results R with a list of S that gets a line for each element.
type Form[R, S any] struct {
	rows   string // JSON name of the list
	list   func(*R) *[]S
	digest func(*R) *string
}

// NewForm returns a form. rows is the JSON name of the list that makes up most of a document; list and digest return
// the addresses of this list and of the digest.
func NewForm[R, S any](rows string, list func(*R) *[]S, digest func(*R) *string) Form[R, S] {
	return Form[R, S]{rows, list, digest}
}

// indent is the indentation of a document.
const indent = "  "

// Write writes the result document with the digest that r has.
func (f Form[R, S]) Write(w io.Writer, r *R) error {
	head, list := *r, *f.list(r)
	*f.list(&head) = nil
	if x, is := any(&head).(interface{ Fold() }); is {
		x.Fold()
	}
	text, err := json.MarshalIndent(&head, "", indent)
	if err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	name := "\n" + indent + strconv.Quote(f.rows) + ": "
	before, after, _ := bytes.Cut(text, []byte(name+"null"))
	b := bufio.NewWriter(w)
	b.Write(before)
	b.WriteString(name + "[")
	for i := range list {
		line, err := json.Marshal(&list[i])
		if err != nil {
			return fmt.Errorf("write JSON: %s[%d]: %w", f.rows, i, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n" + indent + indent)
		b.Write(line)
	}
	b.WriteString("\n" + indent + "]")
	b.Write(after)
	b.WriteByte('\n')
	return b.Flush()
}

// Digest returns the SHA-256, in hex, of the document that Write writes for a result without a digest. It detects
// accidental changes, such as an incomplete transfer. It is no signature: whoever changes a document can compute a new
// digest.
func (f Form[R, S]) Digest(r *R) (string, error) {
	sum := sha256.New()
	if err := f.Write(sum, f.Unsealed(r)); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Unsealed returns a copy of the result without its digest. The copy shares all lists.
func (f Form[R, S]) Unsealed(r *R) *R {
	bare := *r
	*f.digest(&bare) = ""
	return &bare
}

// Seal writes the result document with its digest.
func (f Form[R, S]) Seal(w io.Writer, r *R) error {
	digest, err := f.Digest(r)
	if err != nil {
		return err
	}
	sealed := *r
	*f.digest(&sealed) = digest
	return f.Write(w, &sealed)
}

// SameDigest returns an error if a document's digest doesn't match. If data was reformatted after it was sealed, the
// digest must match the canonical encoding, whose digest the function digest returns.
func SameDigest(data []byte, have string, digest func() (string, error)) error {
	if have == "" {
		return errors.New("it has no digest: each document is written with one")
	}
	line := []byte("  \"digest\": \"" + have + "\",\n")
	if before, after, found := bytes.Cut(data, line); found {
		sum := sha256.New()
		sum.Write(before)
		sum.Write(after)
		if hex.EncodeToString(sum.Sum(nil)) == have {
			return nil
		}
	}
	want, err := digest()
	if err != nil {
		return err
	}
	if have != want {
		return fmt.Errorf("digest is %.80q, the document's is %q: it was changed after it was written", have, want)
	}
	return nil
}
