package parts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Screen returns the rows of a rating's first screen: the verdict and whether the rating may be compared, the number
// with its range, processes, library and system, then the main cause of trouble, its remedy, and a line about further
// troubles.
func Screen(name string, h Header, d rating.Estimate) (rows []document.Fact) {
	v, of := *h.Verdict, machineOf(h)
	add := func(name, value string) {
		if value != "" {
			rows = append(rows, document.Fact{Name: name, Value: value})
		}
	}
	list := troubles(v)
	switch lacking := rating.Unmet(v.Criteria); {
	case v.WrongData(): // it is also the reason why the run isn't complete
		add("", list[0].text+". NOT VALID")
		list[0].name, list[0].text = "", ""
		list = slices.DeleteFunc(list, func(t trouble) bool { return strings.HasPrefix(t.text, WrongData) })
	case len(lacking) > 0 && lacking[0].Name == rating.Complete:
		add("", "NOT VALID: "+list[0].text)
		list = list[1:] // the remedy is the next command, which follows
		for i := range list {
			list[i].name = "Note" // the other trouble didn't stop the run
		}
	default:
		add("", Sentence(VerdictLine(v, d))+allowed(v, d))
	}
	if d.Value > 0 {
		add(name, strings.Join(append([]string{words.WithRange(d)}, of...), ", "))
	} else {
		add(name, strings.Join(append([]string{"not computed"}, of...), ", "))
	}
	if len(list) == 0 {
		return rows
	}
	first, also := list[0], list[1:]
	add(first.name, first.text)
	add("Remedy", h.remedied(first.remedy))
	if len(also) == 0 {
		return rows
	}
	more := words.Either(len(also) > 1, fmt.Sprintf("; %d more in the report", len(also)-1), "")
	add(words.Either(also[0].memory, "Note", "Also"), also[0].text+more) // a screen may leave out further troubles
	return rows
}

// trouble is a thing that readers must know about a result.
type trouble struct {
	name, text, remedy string
	memory             bool // data came from memory, not from files
}

// reasons splits the warnings of a verdict into those about causes of a low number, signs of noise, and others. A cause
// that is also a sign is left to the signs.
func reasons(v rating.Verdict) (causes, noise, others []rating.Warning) {
	noise, rest := rating.AboutSigns(v.Warnings, v.Signs)
	for _, w := range rest {
		if slices.ContainsFunc(v.Causes, func(c rating.Cause) bool { return c.Code == w.Code && c.Text == w.Text }) {
			causes = append(causes, w)
		} else {
			others = append(others, w)
		}
	}
	return causes, noise, others
}

// noiseFirst reports whether the cause that explains most of a low number is a sign of noise.
func noiseFirst(v rating.Verdict) bool {
	return len(v.Causes) > 0 && slices.ContainsFunc(v.Signs, func(s rating.Sign) bool {
		return s.Name == v.Causes[0].Code && !s.Quiet
	})
}

// troubles returns the troubles of a result, the worst first: criteria that aren't met, causes of a low number, the
// first sign of noise as a substitute for all signs, and the other warnings. The sign comes before the causes if it
// explains most of the low number. If data were read from memory instead of files, this comes before a second
// criterion. The verdict itself reports that a model computed the result.
func troubles(v rating.Verdict) (list []trouble) {
	known := false
	for _, c := range rating.Unmet(v.Criteria) {
		list = append(list, trouble{"Cause", c.Why(), c.Remedy, c.Name == rating.Cold})
		known = known || c.Name == rating.Cold
	}
	causes, noise, others := reasons(v)
	for _, w := range causes {
		list = append(list, trouble{"Cause", w.Text, w.Remedy, false})
	}
	if len(noise) > 0 && !v.OfModel() {
		t := trouble{"Cause", noise[0].WithoutLimit(), noise[0].Remedy, noise[0].Code == rating.InMemory}
		at := len(list)
		switch {
		case t.memory && !known:
			at = min(at, 1)
		case noiseFirst(v):
			at -= len(causes)
		}
		list = slices.Insert(list, at, t)
	}
	for _, w := range others {
		list = append(list, trouble{"Note", words.Either(w.IsModel(), "", w.WithoutLimit()), w.Remedy, false})
	}
	return list
}

// machineOf returns the processes, the library and the system of a result.
func machineOf(h Header) (list []string) {
	if h.Processes > 0 {
		part := words.Either(h.Rated > 0 && h.Rated < h.Processes, fmt.Sprintf("%d of ", h.Rated), "")
		list = append(list, part+words.Processes(h.Processes))
	}
	if engine := h.engine(); engine != "" && !h.Engine.Kind().Simulated {
		list = append(list, engine)
	}
	return append(list, NameOf(h.System, h.Host))
}

// remedied adds the launcher's binding option to a remedy, or removes the advice if the processes were bound.
func (h Header) remedied(remedy string) string {
	bound := "bind each process to a core"
	rest, is := strings.CutPrefix(remedy, bound)
	e := h.Environment
	if !is || e == nil || len(e.Bindings) == 0 || e.MPI.Launcher == "" {
		return remedy
	}
	if alone := e.Bindings[0].CPUs; len(e.Bindings) > 1 || !strings.ContainsAny(alone, "-,") {
		return strings.TrimLeft(rest, ",; ")
	}
	if how := binds[e.MPI.Launcher]; how != "" {
		bound += " (" + how + ")"
	}
	return bound + rest
}

// binds maps launchers, by their names in results, to the option that binds each process to a core.
var binds = map[string]string{"Open MPI's mpirun": "--bind-to core", "MPICH's mpirun": "-bind-to core",
	"Slurm's srun": "srun --cpu-bind=cores", "Flux": "-o cpu-affinity=per-task"}

// noiseNotice returns the notice about noise: the likeliest cause, with the other signs below it.
func noiseNotice(noise []rating.Warning) document.Notice {
	n := document.Notice{Level: document.Warning, Text: noise[0].Text, Remedy: noise[0].Remedy}
	for _, w := range noise[1:] {
		if w.Code != "interval" { // the headline has it
			n.Signs = append(n.Signs, w.Text)
		}
	}
	return n
}
