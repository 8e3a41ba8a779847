package settings

import (
	"errors"
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
)

// Parameters holds the settings that IMB has as macros and functions of its sources (guide, "Parameters Controlling
// Intel MPI Benchmarks", "Info", "Checking Results").
type Parameters struct {
	// Number of barriers right before the clock is read (N_BARR, default 2).
	Barriers int `json:"barriers,omitempty" jsonschema:"minimum=0"`
	// Seconds of computing during a nonblocking file call (TARGET_CPU_SECS, default by the method).
	Compute float64 `json:"compute_seconds,omitempty" jsonschema:"minimum=0"`
	// Name of the file of IMB-IO's kernels (FILENAME, default: IMB_out). The numbers of group and process are appended.
	FileName string `json:"file_name,omitempty"`
	// Keys and values of the info of windows and files (User_Set_Info).
	Hints []mpi.Hint `json:"hints,omitempty" jsonschema:"maxItems=100"`
	// Print a column of defects in the text (-DCHECK).
	DefectsColumn bool `json:"defects_column,omitempty"`
}

// Limits of parameters. The MPI standard guarantees at least these limits of hints (MPI 4.1, A.1.1).
const (
	maxBarriers  = 1000
	maxHints     = 100
	longestName  = 200 // bytes of a file's name, so that the numbers fit, too
	longestKey   = 254
	longestValue = 1023
)

// check returns an error for a parameter out of its range.
func (p *Parameters) check() error {
	switch {
	case p.Barriers < 0 || p.Barriers > maxBarriers:
		return fmt.Errorf("want 1 to %d barriers, not %d", maxBarriers, p.Barriers)
	case !(p.Compute >= 0 && p.Compute <= longestTime):
		return fmt.Errorf("want up to %g seconds of computing, not %g", longestTime, p.Compute)
	case len(p.FileName) > longestName || strings.ContainsAny(p.FileName, "/\x00\n") || p.FileName == "." ||
		p.FileName == "..":
		return fmt.Errorf("want a file name without a directory, of up to %d bytes, not %q", longestName, p.FileName)
	case len(p.Hints) > maxHints:
		return fmt.Errorf("want up to %d hints, not %d", maxHints, len(p.Hints))
	}
	for _, h := range p.Hints {
		if h.Key == "" || len(h.Key) > longestKey || len(h.Value) > longestValue ||
			strings.ContainsAny(h.Key+h.Value, "\x00\n") {
			return errors.New("want hints KEY=VALUE, with keys of 1 to 254 bytes and values of up to 1023")
		}
	}
	return nil
}
