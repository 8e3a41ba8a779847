package words

import "fmt"

// Units of what results hold in bytes, seconds and bytes per second.
const (
	Mega  = 1e6     // of bandwidths
	Mebi  = 1 << 20 // of memory and lengths
	Micro = 1e-6
)

// Memory returns bytes of memory in MB of 2^20 bytes, as b_eff's summary lines have them: integers but for less than
// one.
func Memory(bytes int64) string {
	if bytes < Mebi {
		return fmt.Sprintf("%.2g", float64(bytes)/Mebi)
	}
	return fmt.Sprint(bytes / Mebi)
}

// Length returns a length exactly: in MiB or KiB if it is a whole number of them, else in bytes beside the MiB.
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
