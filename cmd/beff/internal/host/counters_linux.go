package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
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

// The kernel's rx_dropped counts frames of protocols that nobody here listens to as well (LLDP and STP send some each
// minute), so that it moves without any trouble. What a device had no room for is in rx_missed_errors.
const unheard = "rx_dropped"

// devices is where network devices are. Those of software have no link device: lo, bridges, the ends of containers.
// What is lost there isn't lost in the network.
const devices = "/sys/class/net"

// sent counts the segments of all of the host's TCP connections, in the process' network namespace.
const sent = "tcp/OutSegs"

// Some segments are sent again on any host, by connections to far ones: so few aren't told.
const (
	againLeast = 10
	againOf    = 1000
)

// counters returns the counters of trouble by the interface and their names, and those of TCP's segments. root is "/"
// except in tests.
func counters(root string) map[string]int64 {
	list := map[string]int64{}
	for _, pattern := range counted {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, file := range files {
			at := filepath.Join("/", strings.TrimPrefix(file, root))
			name, troubles := troubleOf(at)
			if !troubles || strings.HasPrefix(at, devices) && !wired(root, at) {
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
	if fs, err := procfs.NewFS(filepath.Join(root, "proc")); err == nil {
		if p, err := fs.Proc(os.Getpid()); err == nil {
			if snmp, err := p.Snmp(); err == nil && snmp.OutSegs != nil && snmp.RetransSegs != nil {
				list[sent], list[sentAgain] = int64(*snmp.OutSegs), int64(*snmp.RetransSegs)
			}
		}
	}
	return list
}

// wired reports whether a counter is one of hardware, and of what is lost in the network.
func wired(root, file string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.Dir(file), "../device"))
	return err == nil && filepath.Base(file) != unheard
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
	if len(parts) < 2 {
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
	if again := list[sentAgain]; again < againLeast || again*againOf < list[sent] {
		delete(list, sentAgain)
	}
	delete(list, sent)
	return list
}
