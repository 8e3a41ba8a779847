package plugin

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// mark is the line that precedes a plug-in's note.
const mark = "beff plug-in of the engine over MPI"

// The families of libraries. A family's libraries are started by the same launchers.
const (
	OpenMPI  = "Open MPI"
	MPICH    = "MPICH"        // and its derivatives, such as Intel MPI, Cray MPICH, MVAPICH
	Standard = "standard ABI" // any library with the standard's ABI (MPI 5.0, chapter 20)
	// OpenSHMEM is an OpenSHMEM library with its MPI, for the engine of package libshmem.
	OpenSHMEM = "OpenSHMEM"
)

// Note describes a plug-in without loading it. It is in the file, as a line of text for each field.
type Note struct {
	Version string // of its sources
	Family  string // a family above, or empty for any other
	Wrapper string // path of the compiler wrapper that built it; empty if it is portable
}

// Portable reports whether the plug-in is for all libraries of its family's binary interface (BuildPortable).
func (n Note) Portable() bool { return n.Wrapper == "" }

// maxBytes is the largest size of a plug-in that is read. Plug-ins have 50 to 80 kB.
const maxBytes = 16 << 20

// ErrNoPlugin is the error for a file that isn't a plug-in.
var ErrNoPlugin = errors.New("this is not a plug-in of beff")

// ReadNote returns the note in a plug-in.
func ReadNote(path string) (Note, error) {
	f, err := os.Open(path)
	if err != nil {
		return Note{}, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxBytes))
	if err != nil {
		return Note{}, err
	}
	_, rest, _ := bytes.Cut(data, []byte(mark+"\n"))
	const fields = 3
	lines := bytes.SplitN(rest, []byte("\n"), fields+1)
	if len(lines) <= fields {
		return Note{}, fmt.Errorf("%s: %w", path, ErrNoPlugin)
	}
	return Note{string(lines[0]), string(lines[1]), string(lines[2])}, nil
}

// Check returns an error unless the plug-in was built from this program's sources.
func (n Note) Check() error {
	if n.Version == Version() {
		return nil
	}
	return fmt.Errorf("its interface is of version %s and this program's is %s: run beff mpi add again", n.Version,
		Version())
}
