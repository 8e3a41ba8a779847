package prove

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// SameDigest takes the file's own bytes, as they were sealed; if it was laid out anew since, those that JSON writes.
func SameDigest(data []byte, have string, digest func() (string, error)) error {
	if have == "" {
		return nil
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
