package imb

import "regexp"

// sign is a line that each table of IMB's text has, and no other program's.
var sign = regexp.MustCompile(`(?m)^\s*#\s*Benchmarking\s|^#\s+.*(?:Intel ?\(R\)|Pallas) MPI Benchmark|` +
	`^\s*#bytes\s+#repetitions`)

// Is reports whether a text is IMB's, by its beginning.
func Is(head []byte) bool { return sign.Match(head) }
