package imb

import "github.com/effective-bandwidth/beff/report/lazy"

// sign is a line that each table of IMB's text has, and no other program's.
var sign = lazy.MustCompile(`(?m)^\s*#\s*Benchmarking\s|^#\s+.*(?:Intel ?\(R\)|Pallas) MPI Benchmark|` +
	`^\s*#bytes\s+#repetitions`)

// Is reports whether a text is IMB's, by its beginning.
func Is(head []byte) bool { return sign().Match(head) }
