package prove

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

// SameDigest returns an error if a document's digest is not the one of its bytes. A document that was laid out anew
// since it was sealed has the digest of the bytes that its format writes, which digest returns.
func (by Rules) SameDigest(data []byte, have string, digest func() (string, error)) error {
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
