// Package enough says in a line that a limit of the address space (ulimit -v) is too small for the Go runtime, which
// prints a dump and ends with the exit code of a wrong command line, before any code in Go runs. The linker's flag
// -E beff_entry lets a program begin with it (make build, make dist); without the flag it does nothing.
package enough

// least is the smallest limit in bytes. With less than 0.9 GB nothing can be reserved, with up to 1.6 GB threads and
// memory fail by chance.
var least uint64 = 2000000 << 10

var refusal = "beff: the limit of the address space (ulimit -v) is too small for threads and messages: " +
	"want at least 2000000 kB, or unlimited\n"

// Least returns the smallest limit, and the line that a program with less says.
func Least() (bytes uint64, line string) { return least, refusal }
