package plugins

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
)

// UserLibrary returns the path by which a user's library of functions is loaded, or an error if others may change the
// file: its code would run as this user. A name without a slash is looked for in directories, those of LD_LIBRARY_PATH.
// One that is in none of them stays as it is: the loader finds it in the system's directories, or says that it doesn't.
func UserLibrary(name string, directories []string) (string, error) {
	if strings.Contains(name, "/") {
		return input.Trusted(name)
	}
	for _, dir := range directories {
		path := filepath.Join(dir, name) // an empty one is the working directory, as for the loader
		if _, err := os.Stat(path); err == nil {
			return input.Trusted(path)
		}
	}
	return name, nil
}
