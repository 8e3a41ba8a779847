package ofprobe

import (
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/findings"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

// Entry returns the result as an entry of a ranking, without the system's name. It has no rating.
func (r Report) Entry() ranking.Entry {
	return ranking.Entry{
		Class: rating.Class{Benchmark: probe.Benchmark, Engine: rating.EngineOf(r.Engine.Kind()),
			Memory: r.Settings.Memory.Place()},
		Processes: r.Processes, PerNode: r.PerNode(), Date: r.Started,
		Status: r.status(), Cause: ranking.CauseOf(r.Result.Verdict()), Way: r.way(),
		Figures: probe.Figures.Values(r.Result),
		Found:   findings.Found(r.Result),
		Kernels: words.First(3, lists.Each(kernelsOf(r.Result), (*Kernel).Title), ", ", ""),
	}
}

// way describes how the probe measured. Probes that differ in it measure different things.
func (r Report) way() string {
	s := &r.Settings
	list := []string{r.Methods(), words.Either(s.Memory.CacheSize > 0, "caches avoided", "caches used")}
	if s.InSeries() {
		list = append(list, "series")
	}
	if s.Series.Timing != "" && s.Series.Timing != settings.ByLoop {
		list = append(list, "timing "+string(s.Series.Timing))
	}
	return strings.Join(list, ", ")
}

// status returns the status of a probe. One that wasn't judged is valid if it is complete and its data were right.
func (r Report) status() ranking.Status {
	v := r.Verdict()
	if len(r.Criteria) == 0 {
		v.Valid = r.Complete && Defects(r.Result) == 0
	}
	return ranking.StatusOf(v)
}
