package tools

import (
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/report/foreign"
	"github.com/effective-bandwidth/beff/report/words"
)

// Lines of perftest's text (perftest_parameters.c). The title follows 20 blanks. Lines about the memory of a device
// precede it.
var (
	perftestFirst   = words.MustCompile(`(?: {20})?((?:Send|RDMA|Atomic)\w* [\w ]*(?:BW|Latency) [\w ]*Test)\s*$`)
	perftestDevice  = words.MustCompile(`allocated (?:\d+ bytes of )?(?:GPU|MLU|MUSA) buffer`)
	perftestSetting = words.MustCompile(`\s(PCIe relax order|[A-Z][\w .-]* ) *: (\S+)`)
	perftestHead    = words.MustCompile(`([A-Za-z]+ \w+|[\d.]+% percentile|#?\w+)(?:\[([^\]]+)\])?`)
	perftestMain    = words.MustCompile(`^(BW average|MsgRate|t_typical|t_avg)$`) // some tests lack t_typical
	perftestRow     = words.MustCompile(`^\s*\d+\s+\d+\s+\d`)
)

// perftestKnown has the tests that other programs measure, too. A latency is half of the round trip or the time until
// the reader has the data (print_report_lat).
var perftestKnown = map[string]foreign.Table{
	"Send BW Test":                      {Operation: foreign.Message, Way: foreign.FullQueue},
	"Send Bidirectional BW Test":        {Operation: foreign.BothWays, Way: foreign.FullQueue},
	"Send Latency Test":                 {Operation: foreign.Message, Way: foreign.HalfRoundTrip},
	"RDMA_Write BW Test":                {Operation: foreign.Put, Way: foreign.FullQueue},
	"RDMA_Write Bidirectional BW Test":  {Operation: foreign.PutBothWays, Way: foreign.FullQueue},
	"RDMA_Write Latency Test":           {Operation: foreign.Put, Way: foreign.HalfRoundTrip},
	"RDMA_Read BW Test":                 {Operation: foreign.Get, Way: foreign.FullQueue},
	"RDMA_Read Latency Test":            {Operation: foreign.Get, Way: foreign.Epoch},
	"Atomic FETCH_AND_ADD Latency Test": {Operation: foreign.FetchAndOp, Way: foreign.Epoch},
	"Atomic CMP_AND_SWAP Latency Test":  {Operation: foreign.CompareAndSwap, Way: foreign.Epoch},
}

// perftestReader holds the part of a text that was read.
type perftestReader struct {
	tabular
	side string // added to the names of the tables that follow
}

// newPerftest returns a reader of the text of ib_write_bw and the other tests, which has neither date, version nor
// hosts.
func newPerftest(t *run) reading {
	p := &perftestReader{tabular: tabular{run: t, test: foreign.Table{Processes: 2, Lengths: true}}}
	if t.lead != "" {
		p.test.Settings = []foreign.Setting{{Name: foreign.Buffers, Value: "device"}}
	}
	t.r.Complete = false
	return p
}

func (p *perftestReader) line(line string) error {
	switch text := strings.TrimSpace(line); {
	case p.first && p.test.Test != "":
		return errAnother
	case p.first:
		known := perftestKnown[strings.Replace(text, "Post List ", "", 1)]
		p.test.Test, p.test.Operation, p.test.Way = text, known.Operation, known.Way
	case text == "Local results:", text == "Remote results:":
		p.side, p.test.Operation, p.test.Way = ", "+strings.TrimSuffix(text, ":"), "", ""
	case strings.HasPrefix(text, "#bytes"):
		return p.heads(text)
	case p.table != nil && perftestRow().MatchString(line) && !p.open:
		return p.row(strings.Fields(line))
	case strings.HasPrefix(line, "-----"):
		p.r.Complete = p.r.Complete || p.rows() > 0
	case p.fields == nil && len(p.test.Settings) < mostSettings:
		for _, m := range perftestSetting().FindAllStringSubmatch(line, -1) {
			s := foreign.Setting{Name: strings.TrimSpace(m[1]), Value: m[2]}
			if p.test.Settings = append(p.test.Settings, s); s.Name == "TX depth" {
				p.test.Window, _ = strconv.Atoi(s.Value)
			}
		}
	}
	return nil
}

// heads begins a table.
func (p *perftestReader) heads(line string) error {
	p.fields = nil
	for _, m := range perftestHead().FindAllStringSubmatch(line, -1) {
		c := units[m[2]]
		c.Name, c.Main = m[1], perftestMain().MatchString(m[1])
		p.fields = append(p.fields, c)
	}
	t := p.test
	t.Test += p.side
	return p.begin(t)
}

// row adds a row. A peak of 0 means that it wasn't measured.
func (p *perftestReader) row(fields []string) error {
	for i, c := range p.fields {
		if len(p.table.Rows) == 0 && c.Name == "BW peak" && i < len(fields) && strings.Trim(fields[i], "0.") == "" {
			p.fields[i].Quantity = ""
			p.table.Columns = columnsOf(p.fields)
		}
	}
	return addRow(p.table, p.fields, fields)
}
