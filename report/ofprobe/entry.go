package ofprobe

import (
	"fmt"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/ranking"
)

// Entry returns the result as an entry of a list, without the system's name. It has no rating. Its latency and
// bandwidth are PingPong's.
func (r Report) Entry() ranking.Entry {
	e := ranking.Entry{
		Class:     ranking.Class{Benchmark: probe.Benchmark, Engine: ranking.EngineOf(r.Engine.Kind())},
		Processes: r.Processes, PerNode: r.PerNode(), Date: r.Started, Status: r.status(),
	}
	var names []string
	for _, k := range Of(r.Result) {
		names = append(names, k.Title())
		if k.Title() != "PingPong" {
			continue
		}
		e.Latency, _ = shortest(k, k.Blocks[0])
		for i := range k.Blocks[0].Rows {
			e.PingPong = max(e.PingPong, Bandwidth(&k.Blocks[0].Rows[i]))
		}
	}
	const most = 3
	if n := len(names) - most; n > 1 {
		names = append(names[:most], fmt.Sprintf("and %d more", n))
	}
	e.Kernels = strings.Join(names, ", ")
	if r.Imported != "" {
		e.Remark = "imported"
	}
	return e
}

// Curve returns the bandwidth of PingPong over the message length.
func (r Report) Curve() (list []parts.CurvePoint) {
	for _, k := range Of(r.Result) {
		if k.Title() != "PingPong" {
			continue
		}
		for i := range k.Blocks[0].Rows {
			row := &k.Blocks[0].Rows[i]
			if x := Bandwidth(row); x > 0 {
				list = append(list, parts.CurvePoint{Bytes: row.Bytes, Bandwidth: x})
			}
		}
	}
	return list
}

// status returns the status of a whole probe, whose data were right. Texts of others have no verdict.
func (r Report) status() ranking.Status {
	v := r.Verdict()
	if len(r.Criteria) == 0 {
		v.Valid = r.Complete && Defects(r.Result) == 0
	}
	return ranking.StatusOf(rating.Verdict(v))
}
