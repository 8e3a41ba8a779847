package tools

import (
	"errors"
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// gpcnetTitle matches the first line of GPCNeT's programs.
var gpcnetTitle = words.MustCompile(`(Network|NetworkLoad) Tests v(\d+\.\d+)\s*$`)

// Other lines of GPCNeT's text, the network test in a table's title, and the length in a test's name.
var (
	gpcnetRanks = words.MustCompile(`^\s*Test with (\d{1,9}) MPI ranks \((\d{1,9}) nodes\)`)
	gpcnetTable = words.MustCompile(`^\|\s+((?:Isolated (?:Network|Congestion) Tests|Network Tests running with ` +
		`Congestion Tests).*?)\s*\|$`)
	gpcnetNodes = words.MustCompile(`^\s*(\d{1,9}) nodes running Network Tests`)
	gpcnetOther = words.MustCompile(`\((.*\S) Network Test\)`)
	gpcnetBytes = words.MustCompile(`\((\d{1,12}) B\)$`)
)

// gpcnetReader reads the text of GPCNeT's programs.
type gpcnetReader struct {
	*run
	testing int      // number of nodes that run the network tests while others make congestion; 0 without congestion
	title   string   // of the current table
	heads   []string // headings of the columns after the name
}

// newGPCNeT returns a reader of the text of network_test or of network_load_test. Each row becomes a table.
func newGPCNeT(t *run) reading { return &gpcnetReader{run: t} }

func (g *gpcnetReader) line(line string) error {
	if m := gpcnetRanks().FindStringSubmatch(line); m != nil {
		g.r.Processes, g.r.Nodes = count(m[1]), count(m[2])
		return nil
	}
	if m := gpcnetNodes().FindStringSubmatch(line); m != nil {
		g.testing = count(m[1])
		return nil
	}
	switch {
	case gpcnetTitle().MatchString(line):
		if g.r.ProgramVersion != "" {
			return errAnother
		}
		g.r.ProgramVersion = gpcnetTitle().FindStringSubmatch(line)[2]
		return nil
	case gpcnetTable().MatchString(line):
		g.title, g.heads = gpcnetTable().FindStringSubmatch(line)[1], nil
		return nil
	case !strings.HasPrefix(line, "|"):
		return nil
	case g.open:
		g.r.Complete = false // figures may lack digits
		return nil
	}
	cells := strings.Split(strings.Trim(line, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	switch {
	case cells[0] == "Name" || cells[0] == "":
		g.heads = cells[1:]
		return nil
	case len(cells) != len(g.heads)+1:
		return fmt.Errorf("%d cells below %d headings", len(cells), len(g.heads)+1)
	}
	return g.row(cells[0], cells[1:])
}

// row adds a row. A dash is a missing figure.
func (g *gpcnetReader) row(name string, cells []string) error {
	if len(g.heads) == 0 {
		return errors.New("a row without the names of its columns")
	}
	last := len(cells) - 1
	t := foreign.Table{Test: name, Settings: []foreign.Setting{{Name: "network",
		Value: words.Either(strings.Contains(g.title, "running with Congestion"), "congested", "isolated")}}}
	m := gpcnetOther().FindStringSubmatch(g.title)
	switch {
	case m != nil && !strings.HasPrefix(name, m[1]): // a congestor
		t.Settings = append(t.Settings, foreign.Setting{Name: "beside", Value: m[1]})
	case strings.Contains(g.title, "Isolated Congestion"): // on an unknown part of the other nodes
	case g.testing == 0:
		t.Processes = g.r.Processes
	default:
		nodes := fmt.Sprintf("%d of %d", g.testing, g.r.Nodes)
		t.Settings = append(t.Settings, foreign.Setting{Name: "nodes", Value: nodes})
		if n := g.r.Processes * g.testing; n%max(g.r.Nodes, 1) == 0 {
			t.Processes = n / max(g.r.Nodes, 1)
		}
	}
	unit := printed{column("", foreign.Factor, "X"), 1}
	if g.heads[last] == "Units" {
		known := false
		if unit, known = units[cells[last]]; !known {
			return fmt.Errorf("unknown unit %.20q", cells[last])
		}
		cells = cells[:last]
	} else {
		t.Test += ", congestion impact factor"
	}
	for i, cell := range cells {
		if cell == "-" {
			continue
		}
		unit.Name, unit.Main = g.heads[i], g.heads[i] == "Avg"
		if err := unit.put(&t, strings.TrimSuffix(cell, "X")); err != nil {
			return err
		}
	}
	if t.Rows == nil {
		return nil
	}
	if m := gpcnetBytes().FindStringSubmatch(name); m != nil {
		bytes, err := whole(m[1])
		if err != nil {
			return err
		}
		t.Lengths, t.Rows[0].Bytes = true, bytes
	}
	return g.add(t)
}
