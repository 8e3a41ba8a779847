package settings

import (
	"fmt"
	"regexp"
)

// Library is a user's shared library whose functions are measured instead of MPI's collective calls.
type Library struct {
	// Name of the file. If it has no slash, the loader searches for it as for all libraries.
	File string `json:"file"`
	// Names of the functions. Each contains the name of the call that it replaces, such as Bcast.
	Functions []string `json:"functions" jsonschema:"minItems=1,maxItems=1000"`
	// Text for the library's own function collectives_initialize (default: none).
	Options string `json:"options,omitempty"`
}

const (
	maxFunctions    = 1000
	longestFunction = 256
)

// functionName is the form of a C function's name.
var functionName = regexp.MustCompile(`^[A-Za-z_]\w*$`)

// check returns an error unless the library has a name and functions, each once.
func (l *Library) check() error {
	switch {
	case l.File == "":
		return fmt.Errorf("functions need a library: name it with --library")
	case len(l.Functions) == 0:
		return fmt.Errorf("library %s: name its functions with --function", l.File)
	case len(l.Functions) > maxFunctions:
		return fmt.Errorf("library %s: %d functions, at most %d", l.File, len(l.Functions), maxFunctions)
	}
	seen := map[string]bool{}
	for _, name := range l.Functions {
		if len(name) > longestFunction || !functionName.MatchString(name) {
			return fmt.Errorf("library %s: %q is not a name of a C function", l.File, name)
		}
		if seen[name] {
			return fmt.Errorf("library %s: function %s is named twice", l.File, name)
		}
		seen[name] = true
	}
	return nil
}

// CheckLibrary returns an error if the settings have a library without functions, or functions without one.
func (s *Settings) CheckLibrary() error {
	if s.Library == nil {
		return nil
	}
	return s.Library.check()
}
