package imb

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
)

// threadsRule is the line above and below the heading of a table of IMB-MT.
var threadsRule = "#" + strings.Repeat("-", 77) + "\n"

// threadsHead begins a table of IMB-MT.
func threadsHead(s *strings.Builder, k *kernel.Kernel, b *measured.Block) {
	fmt.Fprintf(s, "\n%s# Benchmarking %s\n# #processes = %d (threads: %d)\n", threadsRule, k.Name, b.Processes,
		max(b.Threads, 1))
	if k.MessageWindows() {
		fmt.Fprintf(s, "# window_size = %d\n", b.WindowSize)
	}
	s.WriteString(threadsRule)
}
