package words

import "fmt"

// Factors from bytes, seconds and bytes per second, the units of result documents, to the units that readers see.
const (
	Mega  = 1e6     // MB/s
	Mebi  = 1 << 20 // MiB, for memory and lengths
	Micro = 1e-6
)

// Memory formats a size of memory in MB of 2^20 bytes as b_eff's summary lines do: an integer, or two digits below 1.
func Memory(bytes int64) string {
	if bytes < Mebi {
		return fmt.Sprintf("%.2g", float64(bytes)/Mebi)
	}
	return fmt.Sprint(bytes / Mebi)
}

// Length formats a length exactly: in MiB or KiB if it is a whole number of them, otherwise in bytes, with MiB if
// large.
func Length(bytes int64) string {
	switch {
	case bytes >= Mebi && bytes%Mebi == 0:
		return fmt.Sprintf("%d MiB", bytes/Mebi)
	case bytes >= 1024 && bytes < Mebi && bytes%1024 == 0:
		return fmt.Sprintf("%d KiB", bytes/1024)
	case bytes >= Mebi:
		return fmt.Sprintf("%.4g MiB (%d bytes)", float64(bytes)/Mebi, bytes)
	}
	return fmt.Sprintf("%d bytes", bytes)
}
