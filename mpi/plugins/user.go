package plugins

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
)

// UserLibrary returns the path for loading a user's library of functions, or an error if others may change the file,
// because its code would run as this user. It looks for a name without a slash in directories, which are
// LD_LIBRARY_PATH's. It returns a name that isn't there unchanged; the loader then searches the system's directories.
func UserLibrary(name string, directories []string) (string, error) {
	if strings.Contains(name, "/") {
		return input.Trusted(name)
	}
	for _, dir := range directories {
		path := filepath.Join(dir, name) // empty means the working directory, as for the loader
		if _, err := os.Stat(path); err == nil {
			return input.Trusted(path)
		}
	}
	return name, nil
}
