package rating

import (
	"fmt"
	"slices"
	"strings"
)

// Counter is a counter of errors at a network interface that increased during a run.
type Counter struct {
	Host string `json:"host"`
	// Interface, port and the system's name of the counter, such as eth0/rx_errors or mlx5_0/1/symbol_error.
	Name string `json:"name"`
	// Increase during the run.
	Count int64 `json:"count" jsonschema:"minimum=0"`
}

// countersSigns returns the sign of counters that increased, or none.
func countersSigns(list []Counter) []Sign {
	if len(list) == 0 {
		return nil
	}
	largest := slices.MaxFunc(list, func(a, b Counter) int { return int(min(a.Count, 1<<30) - min(b.Count, 1<<30)) })
	var names []string
	total := 0.0
	for _, c := range list {
		total += float64(c.Count)
		if text := fmt.Sprintf("%s of %s by %d", c.Name, c.Host, c.Count); len(names) < 3 {
			names = append(names, text)
		}
	}
	text := strings.Join(names, ", ")
	if n := len(list) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more, the largest %s of %s by %d", n, largest.Name, largest.Host, largest.Count)
	}
	return []Sign{NewSign("counters", "check the cables, switches and queues of these interfaces: lost messages are "+
		"sent again, later", total, 0, "counters of errors, retries or drops increased during the run: "+text+
		" (quiet: none)")}
}
