package rating

import "fmt"

// Load is the other load of the hosts during a run. Each figure is the worst host's.
type Load struct {
	// Load average of the minute before the run, in processes.
	Average float64 `json:"load_average" jsonschema:"minimum=0"`
	// Processors of a host that other programs kept busy in user mode, the mean over the run.
	Others float64 `json:"others" jsonschema:"minimum=0"`
	// Host with this value of others.
	Host string `json:"host"`
	// Logical processors of that host.
	Processors int `json:"processors" jsonschema:"minimum=0"`
	// Part of the processors' time that a hypervisor gave to other guests, 0 to 1.
	Steal float64 `json:"steal" jsonschema:"minimum=0"`
	// Governors of the processors' frequencies; left out if not known.
	Governor string `json:"governor,omitempty"`
	// Lowest frequency in Hz of the processors used by the processes during the run; left out if not known.
	Slowest float64 `json:"frequency_min,omitempty" jsonschema:"minimum=0"`
	// Highest frequency in Hz of the processors used by the processes during the run; left out if not known.
	Fastest float64 `json:"frequency_max,omitempty" jsonschema:"minimum=0"`
	// Number of times that heat slowed down a core or a package of cores; left out if 0 or not known.
	Throttled float64 `json:"throttled,omitempty" jsonschema:"minimum=0"`
	// Time that a CPU quota took from the processes; left out without a quota.
	Quota *Quota `json:"quota,omitempty"`
	// Time lost to other activity in a test before the run; left out if there was no test.
	Noise *Noise `json:"noise,omitempty"`
	// Counters of networks' errors, retries and drops that increased during the run, by host; left out if none did.
	Counters []Counter `json:"counters,omitempty" jsonschema:"maxItems=1000"`
}

// Check returns an error unless l, which beff may not have written, can be a load of a job of this many processes.
func (l *Load) Check(processes int) error {
	if l == nil {
		return nil
	}
	return l.Noise.Check(processes)
}

// Limits of a quiet host.
const (
	maxOthers    = 0.1   // processors
	maxOthersOf  = 0.005 // part of the host's processors, if that is more, as each runs some services
	maxSteal     = 0.02
	maxFrequency = 0.1
)

// maxBefore is the number of processors that other programs may use before a run without a warning. A launcher that
// has just started the processes still uses some.
const maxBefore = 0.5

// Busy returns a warning about other programs that were busy shortly before a run, or "" if there were none.
func (l *Load) Busy() string {
	if l == nil || l.Others < maxBefore {
		return ""
	}
	return fmt.Sprintf("other programs keep %.1f of %d processors of %s busy: the figures will be noisy, and too low",
		l.Others, l.Processors, l.Host)
}

// Signs returns the signs of noise in the load, or none if the load isn't known. The load average isn't a sign, because
// another run may have ended in the minute before this one. Others counts the programs that still run.
func (l *Load) Signs() []Sign {
	if l == nil {
		return nil
	}
	others := max(maxOthers, maxOthersOf*float64(l.Processors))
	list := []Sign{
		NewSign("load", "use whole nodes (--exclusive), and look for other programs there with `top`",
			l.Others, others, fmt.Sprintf("other programs kept %.2f of %d processors of %s busy (quiet: at most "+
				"%.2f); "+
				"the load average before the run was %.2f", l.Others, l.Processors, l.Host, others, l.Average)),
		NewSign("steal", "use a machine without other guests, or a guest with dedicated processors",
			l.Steal, maxSteal, fmt.Sprintf("the hypervisor gave %.1f %% of the processors' time to other guests "+
				"(quiet: at most %.0f %%)", 100*l.Steal, 100*maxSteal)),
	}
	if l.Fastest > 0 {
		apart := 1 - l.Slowest/l.Fastest
		text := fmt.Sprintf("the processors' frequencies were %.2f to %.2f GHz, %.0f %% apart (quiet: at most %.0f %%)",
			l.Slowest/1e9, l.Fastest/1e9, 100*apart, 100*maxFrequency)
		remedy := "set the governor performance, and a fixed frequency"
		if l.Governor != "" {
			text += ", under the governor " + l.Governor
		}
		if l.Governor == "performance" {
			remedy = "set a fixed frequency; look at the limits of power and of heat"
		}
		list = append(list, NewSign("frequency", remedy, apart, maxFrequency, text))
	}
	list = append(append(list, l.Noise.signs()...), countersSigns(l.Counters)...)
	if l.Throttled > 0 {
		list = append(list, NewSign("throttled", "look at the cooling of the host",
			l.Throttled, 0, fmt.Sprintf("cores or packages were slowed down %.0f times because they were hot "+
				"(quiet: never)", l.Throttled)))
	}
	return list
}
