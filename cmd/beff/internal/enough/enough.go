// Package enough looks before any code in Go runs at what the Go runtime needs or hides. It says in a line that a limit
// of the address space (ulimit -v) is too small for the runtime, which prints a dump and ends with the exit code of a
// wrong command line. It notes that standard output is closed, for which the runtime opens /dev/null. The linker's flag
// -E beff_entry lets a program begin with it (make build, make dist); without the flag it does nothing.
package enough

// least is the smallest limit in bytes. With less than 0.9 GB nothing can be reserved, with up to 1.6 GB threads and
// memory fail by chance.
var least uint64 = 2000000 << 10

var refusal = "beff: the limit of the address space (ulimit -v) is too small for threads and messages: " +
	"want at least 2000000 kB, or unlimited\n"

// closed is 1 if standard output was closed when the program began.
var closed uint8

// Closed reports whether standard output was closed when the program began.
func Closed() bool { return closed != 0 }
