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
