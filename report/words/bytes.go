package words

import (
	"fmt"
)

const (
	Mega  = 1e6     // of bandwidths
	Mebi  = 1 << 20 // of memory and lengths
	Micro = 1e-6
)

// Memory writes bytes of memory in MB, as integers but for less than one.
func Memory(bytes int64) string {
	if bytes < Mebi {
		return fmt.Sprintf("%.2g", float64(bytes)/Mebi)
	}
	return fmt.Sprint(bytes / Mebi)
}

// Size writes bytes in the largest binary unit that is not above them, with up to 4 digits.
func Size(bytes int64) string {
	x, units := float64(bytes), []string{"B", "KiB", "MiB", "GiB", "TiB"}
	for len(units) > 1 && x >= 1024 {
		x, units = x/1024, units[1:]
	}
	return fmt.Sprintf("%.4g %s", x, units[0])
}

// Amount writes bytes of memory and of files, with 4 digits: in GiB, below that in MiB, so that all of them can be
// compared at a glance.
func Amount(bytes int64) string {
	x, unit := float64(bytes)/Mebi, "MiB"
	if x >= 1024 {
		x, unit = x/1024, "GiB"
	}
	if x >= 1000 {
		return fmt.Sprintf("%.0f %s", x, unit)
	}
	return fmt.Sprintf("%.4g %s", x, unit)
}
