package probing

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/effective-bandwidth/beff/internal/mutants"
	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/settings"
	"github.com/effective-bandwidth/beff/probe/suites"
)

func TestReadLengths(t *testing.T) {
	lengths, err := readLengths("# bytes\n0\n100\r\n\n 64k\n1 M\n2m\n3G\n")
	require.NoError(t, err)
	require.Equal(t, []int64{0, 100, 64 << 10, 1 << 20, 2 << 20, 3 << 30}, lengths)
	for _, text := range []string{"", "#\n", "-1", "1.5", "k", "1t", "many", "9223372036854775807k"} {
		_, err := readLengths(text)
		require.Error(t, err, text)
	}
}

func TestReadNames(t *testing.T) {
	names, err := readNames("#\n# IMB benchmark selection file\n#\n#Window\nUnidir_Get\n#Unidir_Put\nAccumulate\n")
	require.NoError(t, err)
	require.Equal(t, []string{"Unidir_Get", "Accumulate"}, names)
	for _, text := range []string{"", "#Window\n", "Window Accumulate\n"} {
		_, err := readNames(text)
		require.Error(t, err, text)
	}
}

func FuzzReadLengths(f *testing.F) {
	f.Add("0\n64k\n# x\n1M")
	mutants.Fuzz(f, func(t *testing.T, text string) {
		lengths, err := readLengths(text)
		require.Equal(t, err == nil, len(lengths) > 0)
		for _, n := range lengths {
			require.GreaterOrEqual(t, n, int64(0))
		}
	})
}

// kernels returns the names of selections as component:name.
func kernels(selections []probe.Selection) string {
	var all []string
	for _, s := range selections {
		name := string(s.Kernel.Component) + ":" + s.Kernel.Name
		if s.Multi {
			name = "Multi-" + name
		}
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

func TestSelect(t *testing.T) {
	words := strings.Fields
	for _, x := range []struct {
		component               kernel.Component
		names, include, exclude string
		want                    string
	}{
		{"", "pingpong MULTI-allreduce", "", "", "MPI1:PingPong Multi-MPI1:Allreduce"},
		{"", "PingPong PingPong pingpong", "", "", "MPI1:PingPong"},
		{"", "PingPongSpecificSource Window Ibcast_pure", "", "",
			"MPI1:PingPongSpecificSource EXT:Window NBC:Ibcast_pure"},
		{"", "Barrier", "Bcast", "Barrier", "MPI1:Bcast"},
		{"", "ext:Accumulate", "", "", "EXT:Accumulate"},
		{"", "RMA:accumulate", "", "", "RMA:Accumulate"},
		{"", "Accumulate Window", "", "", "EXT:Accumulate EXT:Window"},
		{"", "Put_local accumulate", "", "", "RMA:Put_local RMA:Accumulate"},
		{"", "Unidir_put", "", "", "RMA:Unidir_put"},
		{"", "Unidir_Put", "", "", "EXT:Unidir_Put"},
		{"", "Window unidir_put", "", "", "EXT:Window EXT:Unidir_Put"},
		{kernel.EXT, "unidir_put accumulate", "", "", "EXT:Unidir_Put EXT:Accumulate"},
		{kernel.RMA, "unidir_put", "Get_local", "", "RMA:Get_local RMA:Unidir_put"},
		{"", "imb-ext", "", "Window Unidir_Get Unidir_Put bidir_get", "EXT:Bidir_Put EXT:Accumulate"},
		{kernel.EXT, "", "", "Window unidir_get unidir_put bidir_get", "EXT:Bidir_Put EXT:Accumulate"},
	} {
		got, err := Select(x.component, words(x.names), words(x.include), words(x.exclude))
		require.NoError(t, err, "%+v", x)
		require.Equal(t, x.want, kernels(got), "%+v", x)
	}
}

// Without names Select returns the component's default list, which has no Optional kernels.
func TestSelectDefaults(t *testing.T) {
	for _, c := range append(suites.Components(), "") {
		selections, err := Select(c, nil, nil, nil)
		require.NoError(t, err)
		want := 0
		for _, k := range suites.Kernels() {
			if k.RunsByDefault((&scope{component: c}).method()) &&
				(k.Component == c || c == "" && k.Component == kernel.MPI1) {
				require.Equal(t, k.Name, selections[want].Kernel.Name)
				want++
			}
		}
		require.Len(t, selections, want)
		selections = slices.DeleteFunc(selections, func(s probe.Selection) bool { return s.Kernel.Since2021 })
		whole, err := Select("", []string{suites.Of(c).Group()}, nil, nil)
		if c != "" {
			require.NoError(t, err)
			require.Equal(t, selections, whole)
		}
	}
}

func TestSelectWrong(t *testing.T) {
	for _, x := range []struct {
		component kernel.Component
		names     string
		exclude   string
		want      string
	}{
		{"", "PongPing", "", `unknown benchmark "PongPing"`},
		{"", "Accumulate", "",
			`benchmark "Accumulate" is in IMB-EXT and IMB-RMA: write ext:Accumulate or rma:Accumulate`},
		{"", "PingPong Accumulate", "", "is in IMB-EXT and IMB-RMA"},
		{"", "Window Put_local Accumulate", "", "is in IMB-EXT and IMB-RMA"},
		{"", "unidir_get", "", "is in IMB-EXT and IMB-RMA"},
		{"", "xyz:PingPong", "", `unknown benchmark "xyz:PingPong"`},
		{"", "ext:PingPong", "", `unknown benchmark "ext:PingPong"`},
		{kernel.MPI1, "Window", "", `benchmark "Window" is not in IMB-MPI1 but in IMB-EXT`},
		{kernel.MPI1, "imb-ext", "", `benchmark "imb-ext" is not in IMB-MPI1 but in IMB-EXT`},
		{kernel.MPI1, "PingPong", "PingPong", "nothing is left to measure"},
		{kernel.MPI1, "PingPong", "PongPing", `unknown benchmark "PongPing"`},
	} {
		_, err := Select(x.component, strings.Fields(x.names), nil, strings.Fields(x.exclude))
		require.ErrorContains(t, err, x.want, "%+v", x)
	}
}

func TestConfig(t *testing.T) {
	dir := t.TempDir()
	input, lengths := filepath.Join(dir, "names"), filepath.Join(dir, "lengths")
	require.NoError(t, os.WriteFile(input, []byte("Multi-Bcast\n"), 0o600))
	require.NoError(t, os.WriteFile(lengths, []byte("7\n"), 0o600))

	r := NewRequest(kernel.MPI1)
	r.Names, r.Input, r.Lengths = []string{"PingPong"}, input, lengths
	require.NoError(t, r.Read())
	config, err := r.Config()
	require.NoError(t, err)
	require.Equal(t, "MPI1:PingPong Multi-MPI1:Bcast", kernels(config.Selections))
	require.Equal(t, []int64{7}, config.Settings.Rows.Lengths)
	require.Zero(t, *config.Settings.Who.Multi)

	r = NewRequest(kernel.MPI1)
	r.Names, r.Settings.Who.Multi = []string{"PingPong"}, new(1)
	config, err = r.Config()
	require.NoError(t, err)
	require.Equal(t, "Multi-MPI1:PingPong", kernels(config.Selections))
	require.Equal(t, 1, *config.Settings.Who.Multi)

	for _, r := range []*Request{{Lengths: input}, {Input: dir + "/none"}, {Lengths: dir + "/none"}} {
		require.ErrorContains(t, r.Read(), dir)
	}
}

// IMB's executables run included kernels first, their default list in its own order, and continue after unknown names.
func TestSelectAsToday(t *testing.T) {
	selected := func(change func(*Request)) (string, []string) {
		r := NewRequest(kernel.RMA)
		change(r)
		c, err := r.Config()
		require.NoError(t, err)
		return kernels(c.Selections), c.Notices
	}
	names, _ := selected(func(*Request) {})
	require.True(t, strings.HasPrefix(names, "RMA:Unidir_put RMA:Bidir_put RMA:Unidir_get RMA:Bidir_get "), names)
	names, _ = selected(func(r *Request) { r.Settings.Method = settings.ByGuide })
	require.True(t, strings.HasPrefix(names, "RMA:Unidir_put RMA:Unidir_get "), names)
	names, _ = selected(func(r *Request) { r.Include = []string{"Get_local"} })
	require.True(t, strings.HasPrefix(names, "RMA:Get_local RMA:Unidir_put "), names)
	names, notices := selected(func(r *Request) { r.Names = []string{"Nothing", "Accumulate"} })
	require.Equal(t, "RMA:Accumulate", names)
	require.Equal(t, []string{"Invalid benchmark name Nothing: it is left out"}, notices)
	r := NewRequest(kernel.RMA)
	r.Names = []string{"Nothing"}
	_, err := r.Config()
	require.ErrorContains(t, err, `unknown benchmark "Nothing"`)
}
