package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/probe"
)

// Digest is the SHA-256, in hex, of the document that JSON writes of a result without a digest. It tells changes by mistake, such as a
// transfer that broke off or an editor's: whoever changes a file on purpose can compute it anew.
func Digest(r *beff.Result) (string, error) {
	bare := *r
	bare.Digest = ""
	return digest(JSON, &bare)
}

// Sealed writes the result document with its digest.
func Sealed(w io.Writer, r *beff.Result) error {
	sealed := *r
	return seal(w, JSON, Digest, &sealed, &sealed.Digest)
}

// IODigest is that of a b_eff_io result, as IOJSON writes it.
func IODigest(r *beffio.Result) (string, error) {
	bare := *r
	bare.Digest = ""
	return digest(IOJSON, &bare)
}

// IOSealed writes the result document of b_eff_io with its digest.
func IOSealed(w io.Writer, r *beffio.Result) error {
	sealed := *r
	return seal(w, IOJSON, IODigest, &sealed, &sealed.Digest)
}

// ProbeDigest is that of a probe's result, as ProbeJSON writes it.
func ProbeDigest(r *probe.Result) (string, error) {
	bare := *r
	bare.Digest = ""
	return digest(ProbeJSON, &bare)
}

// ProbeSealed writes the result document of a probe with its digest.
func ProbeSealed(w io.Writer, r *probe.Result) error {
	sealed := *r
	return seal(w, ProbeJSON, ProbeDigest, &sealed, &sealed.Digest)
}

// digest is that of what a function writes.
func digest[R any](write func(io.Writer, *R) error, bare *R) (string, error) {
	sum := sha256.New()
	if err := write(sum, bare); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// seal writes a result with the digest in its place.
func seal[R any](w io.Writer, write func(io.Writer, *R) error, digest func(*R) (string, error), r *R, place *string) error {
	var err error
	if *place, err = digest(r); err != nil {
		return err
	}
	return write(w, r)
}
