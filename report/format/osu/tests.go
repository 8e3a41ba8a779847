package osu

import (
	"strings"

	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/words"
)

// titles has the titles of those tests whose names don't say them.
var titles = map[string]string{
	"osu_latency": "Latency", "osu_bw": "Bandwidth", "osu_bibw": "Bi-Directional Bandwidth",
	"osu_mbw_mr": "Multiple Bandwidth / Message Rate", "osu_multi_lat": "Multi Latency",
	"osu_latency_mp": "Multi-process Latency", "osu_latency_mt": "Multi-threaded Latency",
	"osu_bw_fan_out": "Bandwidth", "osu_bw_fan_in": "Bandwidth", // as OSU has them
	"osu_put_latency": "_Put Latency", "osu_put_bw": "_Put Bandwidth", "osu_put_bibw": "_Put Bi-directional Bandwidth",
	"osu_get_latency": "_Get latency", "osu_get_bw": "_Get Bandwidth",
	"osu_acc_latency": "_Accumulate latency", "osu_get_acc_latency": "_Get_accumulate latency",
	"osu_fop_latency": "_Fetch_and_op latency", "osu_cas_latency": "_Compare_and_swap latency",
	"osu_ibcast": "Non-Blocking Broadcast Latency", "osu_ialltoall": "Non-blocking All-to-All Latency",
	"osu_latency_persistent": "Latency Persistent", "osu_bw_persistent": "Bandwidth Persistent",
	"osu_bibw_persistent":    "Bi-Directional Bandwidth Persistent",
	"osu_neighbor_alltoallv": "Neighborhood All-to-Allv Latency",
	"osu_neighbor_alltoallw": "All-to-Allw Personalized Exchange Latency", // as OSU has it
	"osu_init":               "Init", "osu_hello": "Hello World",
}

// operations has the words of collective operations whose names aren't theirs.
var operations = map[string]string{"alltoall": "All-to-All Personalized Exchange",
	"alltoallv": "All-to-Allv Personalized Exchange", "alltoallw": "All-to-Allw Personalized Exchange",
	"bcast": "Broadcast"}

// Title returns the title of a test's name, from behind MPI to before Test.
func Title(name string) string {
	k, _, found := suites.FindIn(kernel.OSU, name)
	if !found {
		return " " + name
	}
	return title(k)
}

// title returns a test's title, from behind MPI to before Test.
func title(k *kernel.Kernel) string {
	if text := titles[k.Name]; text != "" {
		return words.Either(text[0] == '_', text, " "+text)
	}
	name, before, behind := strings.TrimPrefix(k.Name, "osu_"), " ", " Latency"
	if k.Class == kernel.Hidden {
		name, before = name[1:], " Non-blocking "
	}
	name, persistent := strings.CutSuffix(name, "_persistent")
	if persistent {
		behind = " Persistent Latency"
	}
	name, near := strings.CutPrefix(name, "neighbor_")
	of := operations[name]
	if near {
		before, of = before+"Neighborhood ", ""
	}
	if of == "" {
		of = strings.ToUpper(name[:1]) + name[1:]
	}
	return before + of + behind
}

// oneSided reports whether a test has a window.
func oneSided(k *kernel.Kernel) bool { return k.Recipe.Window != kernel.NoSide }

// atomic reports whether a test's column of right data says so in other words.
func atomic(k *kernel.Kernel) bool { return oneSided(k) && k.Type != 0 }
