package ofprobe_test

import (
	"bytes"
	"reflect"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/probe/measured"
	"github.com/effective-bandwidth/beff/probe/suites"
	"github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/tidy"
)

// A class has columns in IMB's text, and one or two times that its kernels are known by.
func TestEveryClassIsShown(t *testing.T) {
	for _, of := range suites.Kernels() {
		k := &ofprobe.Kernel{Kernel: of}
		// The data that congestors move are in another text.
		require.Equal(t, k.Class == kernel.Congestion, len(imb.Columns(k.Kernel, -1)) == 0, k.Class)
		require.NotEmpty(t, k.Times(), k.Class)
		switch k.Class {
		case kernel.Overlap:
			require.Equal(t, []string{"t_ovrl", "t_pure"}, names(k.Times()))
			require.Equal(t, 2.0, k.Times()[0].Of(&kernel.Times{Overlapped: 2}))
		case kernel.Passive:
			require.Equal(t, []string{"t_pure", "t_ovrl"}, names(k.Times()))
			require.Equal(t, 3.0, k.Times()[1].Of(&kernel.Times{Passive: 3}))
		case kernel.Single, kernel.Multiple, kernel.Parallel, kernel.Collective, kernel.Sync:
			require.Equal(t, []string{"t"}, names(k.Times()))
			require.Equal(t, 4.0, k.Times()[0].Of(&kernel.Times{Max: 4}))
		}
	}
}

func names(list []kernel.Time) (all []string) {
	for _, t := range list {
		all = append(all, t.Name)
	}
	return all
}

// Every figure of a row has a column of the CSV.
func TestEveryFigureHasColumn(t *testing.T) {
	figures := kernel.Times{}
	v := reflect.ValueOf(&figures).Elem()
	for i := range v.NumField() {
		v.Field(i).SetFloat(1000 + float64(i))
	}
	row := measured.Row{Derived: []kernel.Times{figures}}
	r := &probe.Result{Blocks: []measured.Block{{Component: kernel.PGAS, Rows: []measured.Row{row}}}}
	var b bytes.Buffer
	require.NoError(t, tidy.CSV(&b, ofprobe.Report{Result: r}.Tables()[1]))
	for i := range v.NumField() {
		require.Contains(t, b.String(), ","+strconv.FormatFloat(1000+float64(i), 'f', -1, 64)+",",
			v.Type().Field(i).Name)
	}
}
