package accept

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/words"
)

// setConditions sets the conditions on how files were written and read, which IOR's output records.
func (r *Requirement) setConditions(e *entry, s *Sheet) error {
	if e.MemoryFilled == nil && e.DataOfMemory == nil && !e.ReadersShifted {
		return nil
	}
	if r.of == nil || r.of.program != "IOR" {
		return fmt.Errorf("memory_filled, data_of_memory and readers_shifted apply to IOR, not to %s", r.Name)
	}
	if part := e.MemoryFilled; part != nil {
		if !(*part > 0 && *part < 1) {
			return fmt.Errorf("memory_filled = %v: want a number between 0 and 1, such as 0.8", *part)
		}
		r.filled = append(r.filled, condition{fmt.Sprintf("%.0f %% of the memory of nodes was filled", 100**part),
			func(x *candidate) (bool, bool) {
				have, known := filledOf(x)
				return have >= *part*(1-1e-9), known
			}})
	}
	if times := e.DataOfMemory; times != nil {
		if !(*times > 0) {
			return fmt.Errorf("data_of_memory = %v: want a number above 0", *times)
		}
		if s.memory == 0 {
			r.lacks = "memory of a node of [system]"
		}
		r.filled = append(r.filled, condition{fmt.Sprintf("%g times the memory was written", *times),
			func(x *candidate) (bool, bool) {
				data, known := x.setting("aggregate filesize")
				nodes, said := x.setting("nodes")
				most, err := maxOf(data)
				n, wrong := strconv.Atoi(nodes)
				return most >= *times*float64(n)*float64(s.memory), known && said && err == nil && wrong == nil
			}})
	}
	if e.ReadersShifted {
		r.filled = append(r.filled, condition{"each process reads data that another node wrote",
			func(x *candidate) (bool, bool) {
				order, known := x.setting("ordering inter file")
				return order != "no tasks offsets", known
			}})
	}
	return nil
}

// maxOf returns the largest number of bytes that a size printed by IOR may mean. IOR rounds to two decimals: 1.125 TiB
// becomes 1.12 TiB.
func maxOf(text string) (float64, error) {
	x, err := quantityOfBytes(text)
	number, unit, _ := strings.Cut(strings.TrimSpace(text), " ")
	if err != nil || !strings.Contains(number, ".") {
		return x, err
	}
	half, err := quantityOfBytes("0.005" + unit)
	return x + half, err
}

// setting returns an option of the test that a program printed.
func (x *candidate) setting(name string) (value string, known bool) {
	if x.table == nil {
		return "", false
	}
	for _, s := range x.table.Settings {
		if s.Name == name {
			return s.Value, true
		}
	}
	return "", false
}

// filledForm matches IOR's option for the part of a node's memory that it allocates (IOR's manual: -M, memoryPerNode).
var filledForm = words.MustCompile(`(?:-M\s*|memoryPerNode=)(\d{1,2})%`)

// filledOf returns the part of the nodes' memory that IOR allocated before it read, from its command line.
func filledOf(x *candidate) (part float64, known bool) {
	if x.result == nil || strings.TrimSpace(x.result.Command) == "" {
		return 0, false
	}
	m := filledForm().FindStringSubmatch(x.result.Command)
	if m == nil {
		return 0, true
	}
	n, err := strconv.Atoi(m[1])
	return float64(n) / 100, err == nil
}
