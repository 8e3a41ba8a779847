package host

import (
	"os"
	"strings"
)

// Preloaded returns the libraries that were loaded before all others, by the environment of this process (ld.so(8),
// LD_PRELOAD).
func Preloaded() []string {
	return strings.FieldsFunc(os.Getenv("LD_PRELOAD"), func(c rune) bool { return c == ':' || c == ' ' })
}
