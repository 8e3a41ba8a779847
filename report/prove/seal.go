package prove

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
)

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
