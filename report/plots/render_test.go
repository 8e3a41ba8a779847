package plots

import (
	"bytes"
	"encoding/json"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
)

// svg draws a figure as the writers do, on a canvas of a width.
func svg(t testing.TB, f *document.Figure, width vg.Length) string {
	t.Helper()
	c := vgsvg.New(width, width*vg.Length(f.Drawing.Aspect()))
	f.Drawing.Draw(vgdraw.New(c))
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	require.NoError(t, err)
	return b.String()
}

// read reads a result without checking it.
func read(t testing.TB, file string) *beff.Result {
	t.Helper()
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	r := new(beff.Result)
	require.NoError(t, json.Unmarshal(data, r))
	r.Derived = beff.Derive(r)
	return r
}

// pictures writes figures as PNG, in colour and in grey, below the directory that BEFF_PLOTS names, to be looked at.
func pictures(t *testing.T, prefix string, figures []*document.Figure) {
	t.Helper()
	dir := os.Getenv("BEFF_PLOTS")
	if dir == "" {
		return
	}
	const dpi = 200
	for _, f := range figures {
		c := vgimg.NewWith(vgimg.UseWH(pageWidth, pageWidth*vg.Length(f.Drawing.Aspect())), vgimg.UseDPI(dpi))
		f.Drawing.Draw(vgdraw.New(c))
		grey := image.NewGray(c.Image().Bounds())
		draw.Draw(grey, grey.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
		draw.Draw(grey, grey.Bounds(), c.Image(), image.Point{}, draw.Over)
		for name, img := range map[string]image.Image{"": c.Image(), "-grey": grey} {
			var b bytes.Buffer
			require.NoError(t, png.Encode(&b, img))
			require.NoError(t, os.WriteFile(filepath.Join(dir, prefix+"-"+f.ID+name+".png"), b.Bytes(), 0o644))
		}
	}
}

// TestPictures draws results of other runs, which BEFF_PLOTS_RESULTS names with a glob.
func TestPictures(t *testing.T) {
	files, err := filepath.Glob(os.Getenv("BEFF_PLOTS_RESULTS"))
	require.NoError(t, err)
	var names []string
	var rs []*beff.Result
	for _, file := range files {
		r := read(t, file)
		names, rs = append(names, strings.TrimSuffix(filepath.Base(file), ".json")), append(rs, r)
		pictures(t, names[len(names)-1], BEff(r))
	}
	pictures(t, "all", BEffOverlay(names, rs))
}
