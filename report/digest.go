package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/effective-bandwidth/beff/beff"
)

// Digest is the SHA-256, in hex, of the document that JSON writes of a result without a digest. It tells changes by mistake, such as a
// transfer that broke off or an editor's: whoever changes a file on purpose can compute it anew.
func Digest(r *beff.Result) (string, error) {
	bare := *r
	bare.Digest = ""
	sum := sha256.New()
	if err := JSON(sum, &bare); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// Sealed writes the result document with its digest.
func Sealed(w io.Writer, r *beff.Result) error {
	sealed := *r
	var err error
	if sealed.Digest, err = Digest(r); err != nil {
		return err
	}
	return JSON(w, &sealed)
}
