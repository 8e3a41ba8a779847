package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// counted lists the files of counters of networks, below the system's root: those of network devices, of InfiniBand's
// and RoCE's ports, and of Slingshot's cards (cxi).
var counted = []string{
	"sys/class/net/*/statistics/*",
	"sys/class/infiniband/*/ports/*/counters/*",
	"sys/class/infiniband/*/ports/*/hw_counters/*",
	"sys/class/cxi/*/device/telemetry/*",
}

// troubled are parts of the names of counters that tell of trouble: what was lost, was wrong or had to be sent again.
// Those of traffic and of waiting have none of them.
var troubled = []string{"error", "err", "drop", "discard", "retr", "timeout", "fifo", "collisions", "link_downed",
	"recover", "out_of_sequence", "packet_seq", "rnr_nak", "missed", "overrun", "nack"}

// alone are devices that only this machine sees: what is lost there isn't lost in the network.
var alone = map[string]bool{"lo": true}

// counters returns the counters of trouble by the interface and their names. root is "/" except in tests.
func counters(root string) map[string]int64 {
	list := map[string]int64{}
	for _, pattern := range counted {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, file := range files {
			name, troubles := troubleOf(strings.TrimPrefix(file, root))
			if !troubles {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			value, _, _ := strings.Cut(strings.TrimSpace(string(text)), "@") // cxi's have a time behind it
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				list[name] = n
			}
		}
	}
	return list
}

// troubleOf returns the name of a counter's file for people, and whether it counts troubles.
func troubleOf(file string) (name string, troubles bool) {
	var parts []string
	for i, part := range strings.Split(strings.TrimPrefix(file, "/"), "/") {
		switch part { // what stands in all of them
		case "statistics", "ports", "counters", "hw_counters", "device", "telemetry":
		default:
			if i > 2 { // sys/class/net
				parts = append(parts, part)
			}
		}
	}
	if len(parts) < 2 || alone[parts[0]] {
		return "", false
	}
	last := parts[len(parts)-1]
	for _, word := range troubled {
		troubles = troubles || strings.Contains(last, word)
	}
	return strings.Join(parts, "/"), troubles
}

// moved returns the counters that are larger than before.
func moved(before, after map[string]int64) map[string]int64 {
	list := map[string]int64{}
	for name, n := range after {
		if was, known := before[name]; known && n > was {
			list[name] = n - was
		}
	}
	return list
}
