package report

import (
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
	"github.com/effective-bandwidth/beff/report/ofbeff"
)

// A public document has no names of hosts, users or directories, counts the replaced names, and verifies. Equal names
// get equal replacements. Facts that figures may depend on stay: libraries, versions, settings.
func TestPublic(t *testing.T) {
	m := fixture.Cluster("Box")
	m.Config.Quick, m.Config.Memory, m.Nodes = true, 512<<10, 2
	r := m.Result()
	r.Environment = &rating.Environment{
		Command: []string{"/home/jane/bin/beff", "run", "-o", "jane/x", "--topology", "/home/jane/map",
			"n001.site.org"},
		Job:       rating.Job{System: "Slurm", ID: "7", Nodes: "n[001-002]"},
		MPI:       rating.LoadedMPI{File: "/opt/jane/lib/libmpi.so.40"},
		Libraries: []string{"/usr/lib/libucp.so.0 (UCX 1.13.1)", "/opt/jane/lib/libpmix.so.2"},
		Variables: []rating.Variable{{Name: "SLURM_JOB_USER", Value: "jane"}, {Name: "UCX_TLS", Value: "rc,sm"},
			{Name: "HYDRA_USER_PROVIDED_BINDING", Value: "core"}, {Name: "PMIX_SERVER", Value: "tcp4://10.1.2.3:99"}},
		Mount: rating.Mount{Point: "/scratch/jane", Source: "10.0.0.7@o2ib:/fs", Options: "rw,addr=10.0.0.7"}}
	r.Digest = ""
	path := filepath.Join(t.TempDir(), "a.json")
	out, err := os.Create(path)
	require.NoError(t, err)
	require.NoError(t, ofbeff.Form.Seal(out, r))
	require.NoError(t, out.Close())
	f := Read(path)
	require.NoError(t, f.Problem)

	text, replaced, err := f.Public()
	require.NoError(t, err)
	for _, secret := range []string{"jane", "n001", "n002", "n[001", "10.0.0.7", "10.1.2.3", "scratch", "site.org",
		"/opt"} {
		require.NotContains(t, string(text), secret)
	}
	public := filepath.Join(t.TempDir(), "b.json")
	require.NoError(t, os.WriteFile(public, text, 0o600))
	g := Read(public)
	require.NoError(t, g.Problem)
	require.Equal(t, f.Measurement(), g.Measurement(), "it counts as the same measurement")
	head := g.report.Header()
	require.Equal(t, replaced, head.Replaced)
	require.Equal(t, "2 nodes, 1 user, 5 paths, 2 servers and 2 hidden variables", replaced)
	require.Equal(t, "node-1", head.Placement[0].Host)
	require.Equal(t, "node-2", head.Placement[1].Host)
	e := head.Environment
	require.Equal(t, []string{"/path-1", "run", "-o", "path-2", "--topology", "/path-3", "node-1"}, e.Command)
	require.Equal(t, []string{"/usr/lib/libucp.so.0 (UCX 1.13.1)", "/path-4/libpmix.so.2"}, e.Libraries)
	require.Equal(t, strings.TrimSuffix(e.MPI.File, "libmpi.so.40"), strings.TrimSuffix(e.Libraries[1], "libpmix.so.2"))
	require.Equal(t, []rating.Variable{{Name: "SLURM_JOB_USER", Hidden: true}, {Name: "UCX_TLS", Value: "rc,sm"},
		{Name: "HYDRA_USER_PROVIDED_BINDING", Value: "core"}, {Name: "PMIX_SERVER", Hidden: true}}, e.Variables)

	again, more, err := g.Public()
	require.NoError(t, err)
	require.NotEmpty(t, more)
	require.Equal(t, head.Placement[0].Host, "node-1")
	require.NotContains(t, string(again), "path-10")
}

// The name of a host is replaced where it is a whole word, and stays as a part of longer words.
func TestHide(t *testing.T) {
	s := &secrets{numbers: map[string]map[string]int{}}
	for _, host := range []string{"n1", "n1-ib0", "häst", ""} {
		s.instead(host, aHost)
	}
	s.instead("jane", aUser)
	for text, want := range map[string]string{
		"n1, an1, n12, (n1.site.org) n1/x": "node-1, an1, n12, (node-1) node-1/x",
		"n1-ib0.site n1-ib1 n1":            "node-2 node-1-ib1 node-1",
		"on häst, häste":                   "on node-3, häste",
		"jane@n1 janet":                    "user-1@node-1 janet",
		"abc":                              "abc",
		"":                                 "",
	} {
		require.Equal(t, want, s.hide(text))
	}
}

// The work to replace names grows linearly with the number of hosts, although a result has as many texts and names as
// hosts.
func TestHideManyHosts(t *testing.T) {
	s := &secrets{numbers: map[string]map[string]int{}}
	host := func(i int) string { return fmt.Sprintf("node%05d", i) }
	const hosts = 100_000
	for i := range hosts {
		require.Equal(t, fmt.Sprintf("node-%d", i+1), s.instead(host(i), aHost))
	}
	allocations := testing.AllocsPerRun(1, func() {
		for i := range 1000 {
			require.Equal(t, fmt.Sprintf("node-%d to x", i+1), s.hide(host(i)+".site to x"))
		}
	})
	require.Less(t, allocations, 50e3)
}

// Every result of the list in docs/list.md verifies. Results of sites describe their systems, and have no names of
// hosts or users.
func TestPublicList(t *testing.T) {
	own, err := filepath.Glob("../docs/example/*.json.gz")
	require.NoError(t, err)
	sites, err := filepath.Glob("../docs/example/list/*.json*")
	require.NoError(t, err)
	require.NotEmpty(t, own)
	for i, f := range ReadAll(append(own, sites...), nil) {
		if f.Problem != nil && i < len(own) && flag.Lookup("update").Value.String() == "true" {
			var b strings.Builder
			w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
			require.NoError(t, err)
			_, err = io.WriteString(w, derivedAgain(t, f, true))
			require.NoError(t, errors.Join(err, w.Close()))
			fixture.GoldenFile(t, f.Path, b.String())
			f = Read(f.Path)
		}
		require.NoError(t, f.Problem, f.Path)
		s, head := entry(t, f).System, f.report.Header()
		require.NotEmpty(t, s.Name, f.Path)
		if i >= len(own) {
			require.NotEmpty(t, head.Replaced, "%s: beff export --public", f.Path)
			for _, fact := range []any{s.Site, s.Vendor, s.Year, s.Processor, s.Nodes, s.Interconnect} {
				require.NotZero(t, fact, "%s: %+v", f.Path, s)
			}
		}
	}
}
