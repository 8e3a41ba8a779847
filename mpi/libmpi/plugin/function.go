package plugin

import (
	"debug/elf"
	"fmt"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Names of functions that a user's library may have, as in MPIBlib (manual, 7.9). Both take a communicator, and the
// first one also options.
const (
	initialize = "collectives_initialize"
	finalize   = "collectives_finalize"
)

// UserLibrary is a user's library of functions that replace collective calls.
type UserLibrary struct {
	Functions  []uintptr // their addresses
	initialize uintptr   // or 0
	finalize   uintptr   // or 0
	path       string
	comm       Handle
	options    *byte
}

// OpenUser loads a library for the processes of c. The loader searches its usual directories for a name without a
// slash. options is a C string, which the library may keep.
func OpenUser(path string, names []string, c *Comm, options *byte) (*UserLibrary, error) {
	if err := sameMPI(path); err != nil {
		return nil, err
	}
	handle, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, fmt.Errorf("library: %w", err)
	}
	l := &UserLibrary{path: path, comm: c.Comm, options: options}
	for _, name := range names {
		address, err := purego.Dlsym(handle, name)
		if err != nil {
			return nil, fmt.Errorf("library %s has no function %s", path, name)
		}
		l.Functions = append(l.Functions, address)
	}
	l.initialize, _ = purego.Dlsym(handle, initialize) // 0 after an error
	l.finalize, _ = purego.Dlsym(handle, finalize)
	return l, nil
}

// Begin calls the library's initialization function, if it has one.
func (l *UserLibrary) Begin() error {
	if l.initialize == 0 {
		return nil
	}
	// Two arguments of up to eight bytes are passed in the same registers, whatever their types.
	rc, _, _ := purego.SyscallN(l.initialize, uintptr(l.comm), uintptr(unsafe.Pointer(l.options)))
	if int32(rc) != 0 {
		return fmt.Errorf("library %s: %s failed with code %d", l.path, initialize, int32(rc))
	}
	return nil
}

// sameMPI returns an error if a file was linked with another MPI than the loaded one, because two MPIs in one process
// crash. It doesn't check libraries that the loader finds by a name without a slash.
func sameMPI(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return nil // the loader's error is better
	}
	defer f.Close()
	needed, _ := f.ImportedLibraries() // none after an error
	const noLoad = 4                   // RTLD_NOLOAD
	for _, name := range needed {
		if !strings.HasPrefix(name, "libmpi") {
			continue
		}
		if _, err := purego.Dlopen(name, purego.RTLD_LAZY|noLoad); err != nil {
			return fmt.Errorf("library %s is for another MPI: it needs %s, which this run hasn't loaded", path, name)
		}
	}
	return nil
}

// Close calls the library's function that ends its use. The library stays loaded, because MPI may keep pointers into
// it.
func (l *UserLibrary) Close() {
	if l.finalize != 0 {
		purego.SyscallN(l.finalize, uintptr(l.comm))
	}
}
