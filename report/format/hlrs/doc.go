// Package hlrs writes results as the original programs of HLRS write their .sum files: b_eff release 3.6, with the same
// sections, columns and places, and b_eff_io release 2.1. Programs that read the originals' files read these. Prose is
// ours, and the title says who wrote the file. A figure of b_eff that was not measured is 0, as there. Files of
// b_eff_io hold bandwidths only: bytes, calls and times are not in them.
package hlrs
