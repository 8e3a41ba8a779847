package prove

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
)

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
