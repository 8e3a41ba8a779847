package host

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/prometheus/procfs"
)

// counterFiles lists the files of network counters below the system's root: for network devices, for ports of
// InfiniBand and RoCE, and for Slingshot's cards (cxi).
var counterFiles = []string{
	"sys/class/net/*/statistics/*",
	"sys/class/infiniband/*/ports/*/counters/*",
	"sys/class/infiniband/*/ports/*/hw_counters/*",
	"sys/class/cxi/*/device/telemetry/*",
}

// troubleNames are parts of the names of counters for trouble: packets that were lost, wrong or sent again. Counters of
// traffic and of waiting have none of these parts.
var troubleNames = []string{"error", "err", "drop", "discard", "retr", "timeout", "fifo", "collisions", "link_downed",
	"recover", "out_of_sequence", "packet_seq", "rnr_nak", "missed", "overrun", "nack"}

// The kernel's rx_dropped also counts frames of protocols to which nobody here listens (LLDP and STP send some each
// minute), so it grows without any trouble. Frames for which a device had no room are in rx_missed_errors.
const unheard = "rx_dropped"

// devices is where network devices are. Software devices have no link named device: lo, bridges, the ends of
// containers. Their losses aren't losses of the network.
const devices = "/sys/class/net"

// sent counts the segments of all of the host's TCP connections, in the process's network namespace.
const sent = "tcp/OutSegs"

// On any host, connections to distant hosts send some segments again. Up to 10 segments, or one in 1000, aren't
// reported.
const (
	againLeast = 10
	againOf    = 1000
)

// counters returns the counters of trouble by interface and name, and the counters of TCP segments. root is "/" except
// in tests.
func counters(root string) map[string]int64 {
	list := map[string]int64{}
	for _, pattern := range counterFiles {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, file := range files {
			at := filepath.Join("/", strings.TrimPrefix(file, root))
			name, troubles := troubleOf(at)
			if !troubles || strings.HasPrefix(at, devices) && !isHardware(root, at) {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			value, _, _ := strings.Cut(strings.TrimSpace(string(text)), "@") // cxi's counters are followed by a time
			if n, err := strconv.ParseInt(value, 10, 64); err == nil {
				list[name] = n
			}
		}
	}
	if fs, err := procfs.NewFS(filepath.Join(root, "proc")); err == nil {
		if p, err := fs.Proc(os.Getpid()); err == nil {
			if snmp, err := p.Snmp(); err == nil && snmp.OutSegs != nil && snmp.RetransSegs != nil {
				list[sent], list[retransmitted] = int64(*snmp.OutSegs), int64(*snmp.RetransSegs)
			}
		}
	}
	return list
}

// isHardware reports whether a counter of a network device counts losses of the network: it belongs to hardware, and
// isn't rx_dropped.
func isHardware(root, file string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.Dir(file), "../device"))
	return err == nil && filepath.Base(file) != unheard
}

// troubleOf returns the name of a counter's file for people, and whether it counts trouble.
func troubleOf(file string) (name string, troubles bool) {
	var parts []string
	for i, part := range strings.Split(strings.TrimPrefix(file, "/"), "/") {
		switch part { // these parts are the same in all paths
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
	for _, word := range troubleNames {
		troubles = troubles || strings.Contains(last, word)
	}
	return strings.Join(parts, "/"), troubles
}

// increased returns by how much counters have grown. It leaves out those that haven't.
func increased(before, after map[string]int64) map[string]int64 {
	list := map[string]int64{}
	for name, n := range after {
		if was, known := before[name]; known && n > was {
			list[name] = n - was
		}
	}
	if again := list[retransmitted]; again < againLeast || again*againOf < list[sent] {
		delete(list, retransmitted)
	}
	delete(list, sent)
	return list
}
