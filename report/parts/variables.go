package parts

import (
	_ "embed" // variables.txt
	"slices"
	"strings"
	"sync"
)

//go:embed variables.txt
var variables string

// meanings describes the variables that centres set, by name: variables.txt has a line for each, with the name and the
// description. A name with a star matches all names with the same beginning and end. The descriptions follow the
// libraries' documentation: `ompi_info --all`, `mpivars`, `ucx_info -cf`, `fi_info -e`, and manual pages.
// docs/studies/settings.md records how each was checked.
var meanings = sync.OnceValue(func() map[string]string {
	all := map[string]string{}
	for line := range strings.Lines(variables) {
		name, meaning, _ := strings.Cut(strings.TrimSpace(line), " ")
		all[name] = meaning
	}
	return all
})

// Meaning describes a variable, or returns "" if it isn't known. The longest matching name is used.
func Meaning(name string) string {
	if text := meanings()[name]; text != "" {
		return text
	}
	best, text := "", ""
	for pattern, meaning := range meanings() {
		begin, end, all := strings.Cut(pattern, "*")
		if all && len(name) > len(begin)+len(end) && strings.HasPrefix(name, begin) && strings.HasSuffix(name, end) &&
			(len(pattern) > len(best) || len(pattern) == len(best) && pattern < best) {
			best, text = pattern, meaning
		}
	}
	return text
}

// unread lists prefixes of variables, each with parts of the names of libraries that don't read them. A library that
// isn't listed may be derived from one that does.
var unread = []struct {
	begin string
	by    []string
}{
	{"OMPI_MCA_", []string{"MPICH", "MVAPICH", "Intel"}},
	{"MPIR_CVAR_", []string{"Open MPI"}},
	{"I_MPI_", []string{"Open MPI", "MPICH"}},
	{"MV2_", []string{"Open MPI", "MPICH", "Intel"}},
}

// Unread reports whether a library is known not to read a variable.
func Unread(name, library string) bool {
	for _, u := range unread {
		if strings.HasPrefix(name, u.begin) {
			return slices.ContainsFunc(u.by, func(word string) bool { return strings.Contains(library, word) })
		}
	}
	return false
}
