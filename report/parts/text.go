package parts

import (
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// OfSystem returns the remark that names a system after its host, or "" if the system has no name.
func OfSystem(s *rating.System) string {
	if s == nil || s.Name == "" {
		return ""
	}
	return ", system " + words.OneLine(s.Name)
}

// By returns the remark that names the version of beff, or "" if it isn't known.
func By(version string) string {
	if version == "" {
		return ""
	}
	return ", beff " + words.OneLine(version)
}

// Placement lists the ranks of the first hosts, and the number of further hosts.
func Placement(list []job.Placement) string {
	parts := lists.Each(list, func(p job.Placement) string { return p.Host + ": ranks " + shortened(p.Ranks) })
	return words.First(4, parts, "; ", "hosts")
}

// shortened cuts off a list of ranks if it is long.
func shortened(ranks string) string {
	const most = 60
	if len(ranks) <= most {
		return ranks
	}
	return ranks[:strings.LastIndex(ranks[:most], ",")+1] + "…"
}

// Remark returns the end of a rating's last line for readers who see only this line: the rating's error, and the
// verdict if it isn't simply valid.
func Remark(v rating.Verdict, d rating.Estimate) string {
	text := ", " + d.String()
	if v.WrongData() {
		text = ", WRONG DATA" + text
	}
	switch {
	case v.State() == rating.IsNotValid:
		return text + ", NOT VALID (see above)"
	case v.State() == rating.IsSlowed:
		return text + slowed(v)
	case d.Kind() == rating.VeryNoisy:
		return text + ", very noisy"
	case v.State() == rating.IsNoisy:
		return text + ", noisy"
	}
	return text
}

// VerdictLine returns the verdict in a line, with the rating's error. d is zero for a result without a rating.
func VerdictLine(v rating.Verdict, d rating.Estimate) string {
	doubt, valid := "", "valid"+inClass(v.Criteria)
	if d.Value > 0 {
		doubt = ": " + d.String()
	}
	switch state := v.State(); {
	case state == rating.IsModel:
		return "computed by a model: nothing was measured"
	case state == rating.IsNotValid:
		return "NOT VALID for comparison"
	case state == rating.IsSlowed:
		return valid + slowed(v) + doubt
	case d.Kind() == rating.VeryNoisy:
		return valid + ", but very noisy" + doubt
	case state == rating.IsNoisy:
		return valid + ", but noisy" + doubt
	}
	return strings.Replace(valid, "valid", "valid for comparison", 1) + doubt
}

// slowed returns the end of the verdict on a result with a cause that spoils it.
func slowed(v rating.Verdict) string {
	if c := v.SlowedBy(); c != nil {
		return ", slowed: " + c.Name
	}
	return ""
}

// allowed returns the advice for a noisy rating that may be compared, or "" for other verdicts.
func allowed(v rating.Verdict, d rating.Estimate) string {
	return words.Either(v.State() == rating.IsNoisy && d.Kind() != rating.VeryNoisy && d.Value > 0,
		". Compare it by its range", "")
}

// signsOf returns the signs of noise to show. A model has none, since its signs would describe the model.
func signsOf(v rating.Verdict) []rating.Sign {
	if v.State() == rating.IsModel {
		return nil
	}
	return v.Signs
}

// inClass returns the class to which a valid verdict is limited, with a preposition, or "" if it isn't limited.
func inClass(criteria []rating.Criterion) string {
	if class := rating.ClassOf(criteria); class != "" {
		return " in the class " + class
	}
	return ""
}
