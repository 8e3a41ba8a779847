package rating

import (
	"fmt"
	"slices"
	"strings"
)

// Counter is a counter of a network's interface that tells of trouble, and moved during a run.
type Counter struct {
	Host string `json:"host"`
	// The interface and the port, and the counter's name in the system: eth0/rx_errors, mlx5_0/1/symbol_error.
	Name string `json:"name"`
	// By how much it moved.
	Count int64 `json:"count" jsonschema:"minimum=0"`
}

// countersSigns returns the sign of counters that moved; none if none did.
func countersSigns(list []Counter) []Sign {
	if len(list) == 0 {
		return nil
	}
	most := slices.MaxFunc(list, func(a, b Counter) int { return int(min(a.Count, 1<<30) - min(b.Count, 1<<30)) })
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
		text += fmt.Sprintf(" and %d more, most %s of %s by %d", n, most.Name, most.Host, most.Count)
	}
	return []Sign{NewSign("counters", "look at the cables, switches and queues of these interfaces: what is lost is "+
		"sent again, later", total, 0, "counters of errors, retries or drops moved during the run: "+text+
		" (quiet: none)")}
}
