package doctor

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// spoiling is what a finding does to a rating. Lower is worse.
type spoiling int

const (
	notValid spoiling = iota // a criterion isn't met
	noisy                    // a sign of noise, or what makes one
	slow                     // the figures are lower than they could be
	unsure                   // a warning
)

func (s spoiling) String() string { return [...]string{"NOT VALID", "noisy", "slow", "note"}[s] }

// finding is what would spoil a rating here, with the remedy.
type finding struct {
	spoils spoiling
	rating.Warning
}

// finders look for what would spoil a rating. The first ones are the criteria and the signs of noise of results.
var finders = []func(*Visit) []finding{
	func(v *Visit) []finding {
		c := rating.ProcessorsCriterion(v.library, v.layout.Placement)
		if c.Unknown {
			return only(true, notValid, "measure on Linux", "not known whether %s", c.Text)
		}
		return as(notValid, rating.CrowdedWarning(v.layout.Placement))
	},
	func(v *Visit) []finding {
		return only(v.processes() < 2, notValid, "start more: mpirun -n 2 or more, -n of the embedded engine",
			"b_eff needs at least 2 processes")
	},
	func(v *Visit) []finding {
		if v.unwritable == nil {
			return nil
		}
		return only(true, notValid, "give a directory that all nodes share by -p", "beff io can't have its files here")
	},
	func(v *Visit) []finding { return as(noisy, rating.Warnings(v.load.Signs())) },
	func(v *Visit) []finding {
		return only(v.ways != nil && v.unbound(), noisy, "--bind-to core (Open MPI), -bind-to core (Hydra), "+
			"srun --cpu-bind=cores", "ranks may move from processor to processor")
	},
	func(v *Visit) []finding {
		return only(len(v.env.Nodes) > 1, noisy, "rate nodes of one kind: beff report shows how they differ",
			"there are %d kinds of nodes", len(v.env.Nodes))
	},
	func(v *Visit) []finding {
		active := v.activeAdapters()
		return only(v.ways != nil && len(v.layout.Placement) > 1 && len(active) > 0 && len(v.adapters()) == 0, slow,
			"build the MPI with UCX or libfabric, and look at UCX_NET_DEVICES and FI_PROVIDER",
			"no process has an adapter open, and %s is active: messages go by TCP", strings.Join(active, ", "))
	},
	func(v *Visit) []finding {
		const much = 64 << 20
		return only(len(v.activeAdapters()) > 0 && v.locked < much, slow, "ulimit -l unlimited, on all nodes",
			"only %s may be locked, which adapters want for messages", rating.Bytes(v.locked))
	},
	func(v *Visit) []finding {
		return only(v.ways != nil && len(v.apart()) > 0, slow, "look at /dev/shm, and whether ranks share a container",
			"ranks of a node have no memory in common")
	},
	func(v *Visit) []finding {
		return only(v.forbidden() != "", slow, "kernel.yama.ptrace_scope=0; --cap-add=SYS_PTRACE of a container",
			"ranks can't read each other's memory: long messages within a node are copied twice")
	},
	func(v *Visit) []finding {
		const least = 64 << 20
		many := lists.Most(v.several(), func(ranks []int) int64 { return int64(len(ranks)) })
		return only(v.ways != nil && v.shm > 0 && many > 0 && v.shm < least*many, unsure,
			"a container's --shm-size or --ipc=host", "/dev/shm is small: %s for %d ranks", rating.Bytes(v.shm), many)
	},
	func(v *Visit) []finding {
		return as(unsure, rating.Common(rating.Software{Engine: v.library}, rating.Machine{}, rating.Period{},
			rating.Circumstances{}, "this rates one machine's memory, not an MPI"))
	},
	func(v *Visit) []finding {
		in := v.directory.Type == "tmpfs" || v.directory.Type == "ramfs"
		return only(v.unwritable == nil && in, unsure, "name another directory by -p",
			"beff io would rate memory: %s", v.directory.Type)
	},
	func(v *Visit) []finding {
		return only(v.unwritable == nil && v.directory.Free < v.layout.Total, unsure,
			"take a larger file system, or fewer nodes", "beff io's files can't hold the memory of all nodes, %s: "+
				"the data read may come from a cache", rating.Bytes(v.layout.Total))
	},
	func(v *Visit) []finding {
		return only(len(v.env.Preloaded) > 0, unsure, "unset LD_PRELOAD, unless it is meant",
			"libraries are loaded before the MPI: %s", strings.Join(v.env.Preloaded, ", "))
	},
}

// only returns a finding where it holds.
func only(holds bool, spoils spoiling, remedy, text string, args ...any) []finding {
	if !holds {
		return nil
	}
	return []finding{{spoils, rating.Warning{Text: fmt.Sprintf(text, args...), Remedy: remedy}}}
}

// as returns warnings of results as findings.
func as(spoils spoiling, list []rating.Warning) []finding {
	return lists.Each(list, func(w rating.Warning) finding { return finding{spoils, w} })
}

// activeAdapters returns the active ports of InfiniBand and its kin, as nodes list them.
func (v *Visit) activeAdapters() (list []string) {
	for _, device := range v.network() {
		if name, _, found := strings.Cut(device, " port "); found {
			list = append(list, name)
		}
	}
	return list
}

// verdictOf says what the verdict of a rating would be by what is known before it.
func verdictOf(found []finding) string {
	worst := unsure
	for _, f := range found {
		worst = min(worst, f.spoils)
	}
	return "a rating here would be " + map[spoiling]string{notValid: "NOT VALID", noisy: "valid, but noisy"}[worst] +
		words.Either(worst > noisy, "valid", "")
}

// row returns the lines of a label and a text. What is beyond so many lines is cut.
func row(label, text string, most int) (lines []string) {
	room, line, cut := screenColumns-labelColumns, "", false
	for _, word := range strings.Fields(text) {
		for line != "" && uniseg.StringWidth(line+" "+word) > room {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + shortened(word, room))
	}
	lines = append(lines, line)
	if cut = len(lines) > most; cut {
		lines = lines[:most]
		lines[most-1] = shortened(lines[most-1]+" …", room)
	}
	for i, line := range lines {
		lines[i] = strings.TrimRight(fmt.Sprintf("%-*s%s", labelColumns, label, line), " ")
		label = ""
	}
	return lines
}

// shortened returns a text in so many columns. Of a path its end tells more.
func shortened(text string, room int) string {
	for uniseg.StringWidth(text) > room {
		runes := []rune(strings.TrimPrefix(text, "…"))
		if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "…") {
			text = "…" + string(runes[2:])
		} else {
			text = string(runes[:len(runes)-2]) + "…"
		}
	}
	return text
}
