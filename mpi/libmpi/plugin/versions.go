package plugin

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/ebitengine/purego"
)

// Versioned returns the paths of loaded libraries. To UCX and libfabric, whose files' names have no versions, it adds
// the versions that their own functions return.
func Versioned(paths []string) []string {
	list := make([]string, len(paths))
	for i, path := range paths {
		if list[i] = path; versionOf(path) != nil {
			if version := versionOf(path)(path); version != "" {
				list[i] += " (" + version + ")"
			}
		}
	}
	return list
}

// versionOf returns the function that gets a library's version, or nil if there is none.
func versionOf(path string) func(path string) string {
	switch name := filepath.Base(path); {
	case strings.HasPrefix(name, "libucp.so"):
		return ucx
	case strings.HasPrefix(name, "libfabric.so"):
		return libfabric
	}
	return nil
}

func ucx(path string) (version string) {
	var ask func() string // ucp_get_version_string
	if !function(path, "ucp_get_version_string", &ask) {
		return ""
	}
	return "UCX " + ask()
}

func libfabric(path string) string {
	var ask func() uint32 // fi_version: the major and the minor number
	if !function(path, "fi_version", &ask) {
		return ""
	}
	const half = 16 // bits
	return fmt.Sprintf("libfabric %d.%d", ask()>>half, ask()&(1<<half-1))
}

// function sets the function to to a library's function name, if the library is loaded and has it.
func function(path, name string, to any) bool {
	const loaded = 4 // RTLD_NOLOAD on Linux
	handle, err := purego.Dlopen(path, purego.RTLD_LAZY|loaded)
	if err != nil {
		return false
	}
	address, err := purego.Dlsym(handle, name)
	if err == nil {
		purego.RegisterFunc(to, address)
	}
	return err == nil
}
