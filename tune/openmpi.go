package tune

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// OpenMPI is Open MPI's component coll_tuned.
type OpenMPI struct {
	// Info is what ompi_info says of the component's parameters, in its form for programs; empty: the algorithms are
	// those of release 4.1.
	Info string
}

// Name implements Library.
func (OpenMPI) Name() string { return "Open MPI" }

// enumerated is a line of ompi_info that names an algorithm.
var enumerated = regexp.MustCompile(`(?m)^mca:coll:tuned:param:coll_tuned_(\w+)_algorithm:enumerator:value:(\d+):(\S+)`)

// Algorithms implements Library.
func (l OpenMPI) Algorithms(c *Collective) (list []Algorithm) {
	for _, m := range enumerated.FindAllStringSubmatch(l.Info, -1) {
		if n, err := strconv.Atoi(m[2]); err == nil && n > 0 && m[1] == strings.ToLower(c.Name) {
			list = append(list, Algorithm{n, m[3]})
		}
	}
	if len(list) > 0 {
		return list
	}
	for i, name := range c.tuned {
		list = append(list, Algorithm{i + 1, name})
	}
	return list
}

const (
	tunedParameter = "OMPI_MCA_coll_tuned_"
	tunedFile      = tunedParameter + "dynamic_rules_filename="
	// Without it neither a forced algorithm nor a file has an effect.
	tunedOn = tunedParameter + "use_dynamic_rules=1"
)

// Force implements Library. A file of rules would come before a forced algorithm, so none is read. Segments, fan-out
// and requests are those of a rule, also where the user's default has others.
func (OpenMPI) Force(c *Collective, a Algorithm) []string {
	of := tunedParameter + strings.ToLower(c.Name) + "_algorithm"
	return []string{tunedOn, tunedFile, fmt.Sprintf("%s=%d", of, a.Number), of + "_segmentsize=0",
		fmt.Sprintf("%s_chain_fanout=%d", of, chainFan), of + "_max_requests=0"}
}

// chainFan is the number of chains of an algorithm by that name: the library's own one.
const chainFan = 4

// rulesEnding ends the name of a file of rules.
const rulesEnding = ".rules"

// Use implements Library.
func (OpenMPI) Use(prefix string, _ []Rule) []string {
	return []string{tunedOn, tunedFile + prefix + rulesEnding}
}

// Files implements Library: a file in the form that releases 4 and 5 read. A key of processes and one of bytes hold up
// to the next one, and the first one of processes for fewer, too. So each list begins with the library's own choice,
// algorithm 0, and returns to it behind each rule. Nothing is spoiled: message counts tell what is done.
func (OpenMPI) Files(rules []Rule, _ bool) (map[string][]byte, error) {
	var b strings.Builder
	var used []*Collective
	for i := range Collectives {
		if c := &Collectives[i]; len(sizes(rules, c.Name)) > 0 {
			used = append(used, c)
		}
	}
	fmt.Fprintf(&b, "# Algorithms of collective calls for Open MPI's coll_tuned, by beff tune. Read if\n# "+
		"coll_tuned_use_dynamic_rules is 1 and coll_tuned_dynamic_rules_filename names this file.\n%d # collectives\n",
		len(used))
	for _, c := range used {
		fmt.Fprintf(&b, "%d # %s\n", c.OpenMPI, c.Name)
		blocks := []string{"1 # processes, and more\n" + ownChoice}
		for _, n := range sizes(rules, c.Name) {
			blocks = append(blocks, messages(c, Of(rules, c.Name, n), n))
			if len(Of(rules, c.Name, n+1)) == 0 {
				blocks = append(blocks, fmt.Sprintf("%d # processes, and more\n%s", n+1, ownChoice))
			}
		}
		fmt.Fprintf(&b, "%d # numbers of processes\n%s", len(blocks), strings.Join(blocks, ""))
	}
	return map[string][]byte{rulesEnding: []byte(b.String())}, nil
}

// ownChoice is a list of rules by length that leaves all to the library.
const ownChoice = "1 # rule by length: bytes, algorithm (0: the library decides), fan-out, segment\n0 0 0 0\n"

// messages returns the list of rules by length of as many processes.
func messages(c *Collective, rules []Rule, processes int) string {
	factor := int64(1)
	if c.OfAll {
		factor = int64(processes)
	}
	var lines []string
	next := int64(0)
	for _, r := range rules {
		if r.From*factor > next {
			lines = append(lines, fmt.Sprintf("%d 0 0 0", next))
		}
		fan := 0
		if strings.Contains(r.Algorithm.Name, "chain") {
			fan = chainFan
		}
		lines = append(lines, fmt.Sprintf("%d %d %d 0 # %s", r.From*factor, r.Algorithm.Number, fan, r.Algorithm.Name))
		next = r.Below * factor
	}
	if c.key != "" || c.OfAll { // it has lengths
		lines = append(lines, fmt.Sprintf("%d 0 0 0", next))
	}
	return fmt.Sprintf("%d # processes, and more\n%d # rules by length: bytes, algorithm, fan-out, segment\n%s\n",
		processes, len(lines), strings.Join(lines, "\n"))
}
