// Package hlrs writes .sum files in the form of HLRS's original programs: b_eff release 3.6, with the same sections,
// columns and positions, and b_eff_io release 2.1. Programs that read the originals' files can read these. Prose
// differs from the originals', and the title names beff as the program that wrote the file. A figure of b_eff that was
// not measured is 0, as in the original. Files of b_eff_io have only bandwidths: no bytes, calls or times.
package hlrs
