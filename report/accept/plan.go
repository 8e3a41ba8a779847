package accept

import (
	"fmt"
	"path/filepath"

	"github.com/effective-bandwidth/beff/report/words"
)

// Plan lists the missing measurements as lines for a shell: commands, each with its requirements in a comment, or only
// a comment if beff doesn't measure the requirement. The launcher, such as mpirun, takes the number of processes by -n.
// Results go to directory dir; their names consist of the first requirement and a number.
func (a *Acceptance) Plan(launcher, dir string) (lines []string) {
	of := map[string]int{} // lines of commands
	for _, j := range a.Judged {
		if j.decided() || j.Verdict == Reported || j.Verdict == MayMiss {
			continue
		}
		command := j.command(launcher)
		at, has := of[command]
		switch {
		case command == "":
			lines = append(lines, "# "+j.ID+": "+words.OneLine(j.Reason))
		case has:
			lines[at] += ", " + j.sized()
		default:
			of[command] = len(lines)
			output := filepath.Join(dir, fmt.Sprintf("%s-%d", j.ID, len(j.Runs)+1))
			lines = append(lines, command+" -o "+words.ShellQuoted([]string{output})+" # "+words.OneLine(j.sized()))
		}
	}
	return lines
}

// command returns the command line that measures the requirement, or "" if beff can't measure it or its size isn't
// known.
func (r *Requirement) command(launcher string) string {
	ranks := ""
	if r.Processes > 0 {
		ranks = fmt.Sprintf(" -n %d", r.Processes)
	}
	line := "beff " + words.ShellQuoted(r.Measure)
	switch {
	case r.Measure == nil, r.lacks != "":
	case r.Engine == OverMPI:
		return launcher + ranks + " " + line
	case r.Engine == Embedded:
		return line + " --engine local" + ranks
	}
	return ""
}
