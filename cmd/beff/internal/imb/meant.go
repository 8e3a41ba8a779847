package imb

import (
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/report/words"
)

// kernelNames returns the names of all kernels, and of the groups of them.
func kernelNames() (list []string) {
	for i := range probe.Kernels {
		list = append(list, probe.Kernels[i].Name)
	}
	for _, c := range probe.Components() {
		list = append(list, c.Group())
	}
	return list
}

// Meant returns ": did you mean X?": see words.Meant.
func Meant(wrong string, names []string) string { return words.Meant(wrong, names) }

// meantOption returns "did you mean -x? " for the option that is nearest to a wrong one; empty if none is near.
func meantOption(wrong string, others []string) string {
	names := slices.Clone(others)
	for _, o := range Options(Guide) {
		names = append(names, o.Spellings(Guide)...)
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return strings.HasPrefix(name, "--") != strings.HasPrefix(wrong, "--")
	})
	if near := words.Nearest(wrong, names); near != "" && len(wrong) > 2 {
		return "did you mean " + near + "? "
	}
	return ""
}
