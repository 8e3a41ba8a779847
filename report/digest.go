package report

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/probe"
)

// sealing is how a kind of result is written, and where its digest stands.
type sealing[R any] struct {
	write func(io.Writer, *R) error
	place func(*R) *string
}

var (
	bEffSealing   = sealing[beff.Result]{JSON, func(r *beff.Result) *string { return &r.Digest }}
	bEffIOSealing = sealing[beffio.Result]{IOJSON, func(r *beffio.Result) *string { return &r.Digest }}
	probeSealing  = sealing[probe.Result]{ProbeJSON, func(r *probe.Result) *string { return &r.Digest }}
)

// Digest is the SHA-256, in hex, of the document that JSON writes of a result without a digest. It tells changes by
// mistake, such as a transfer that broke off or an editor's: whoever changes a file on purpose can compute it anew.
func Digest(r *beff.Result) (string, error) { return bEffSealing.digest(r) }

// Sealed writes the result document with its digest.
func Sealed(w io.Writer, r *beff.Result) error { return bEffSealing.seal(w, r) }

// IODigest is that of a b_eff_io result, as IOJSON writes it.
func IODigest(r *beffio.Result) (string, error) { return bEffIOSealing.digest(r) }

// IOSealed writes the result document of b_eff_io with its digest.
func IOSealed(w io.Writer, r *beffio.Result) error { return bEffIOSealing.seal(w, r) }

// ProbeDigest is that of a probe's result, as ProbeJSON writes it.
func ProbeDigest(r *probe.Result) (string, error) { return probeSealing.digest(r) }

// ProbeSealed writes the result document of a probe with its digest.
func ProbeSealed(w io.Writer, r *probe.Result) error { return probeSealing.seal(w, r) }

func (s sealing[R]) digest(r *R) (string, error) {
	bare := *r
	*s.place(&bare) = ""
	sum := sha256.New()
	if err := s.write(sum, &bare); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// seal writes a result with the digest in its place.
func (s sealing[R]) seal(w io.Writer, r *R) error {
	digest, err := s.digest(r)
	if err != nil {
		return err
	}
	sealed := *r
	*s.place(&sealed) = digest
	return s.write(w, &sealed)
}
