package document

import (
	"image/color"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// luminance returns the relative luminance of a colour (WCAG 2.1).
func luminance(c color.RGBA) float64 {
	linear := func(v uint8) float64 {
		x := float64(v) / 255
		if x <= 0.03928 {
			return x / 12.92
		}
		return math.Pow((x+0.055)/1.055, 2.4)
	}
	return 0.2126*linear(c.R) + 0.7152*linear(c.G) + 0.0722*linear(c.B)
}

func contrast(a, b color.RGBA) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Texts are legible on light and dark backgrounds, and curves are visible on both.
func TestContrast(t *testing.T) {
	for _, c := range []Colour{Ink, Quiet} {
		require.GreaterOrEqual(t, contrast(c.Light, Paper.Light), 4.5, c.Name)
		require.GreaterOrEqual(t, contrast(c.Dark, Paper.Dark), 4.5, c.Name)
	}
	for _, c := range Curves {
		require.GreaterOrEqual(t, contrast(c.Light, Paper.Light), 2.0, c.Name)
		require.GreaterOrEqual(t, contrast(c.Dark, Paper.Dark), 4.5, c.Name)
	}
}

// Names and tones are unique, so that a tone has one class.
func TestUnique(t *testing.T) {
	names, tones := map[string]bool{}, map[color.RGBA]bool{}
	for _, c := range all() {
		require.False(t, names[c.Name] || tones[c.Light], c.Name)
		names[c.Name], tones[c.Light] = true, true
		require.Equal(t, c.Name, NameOf(c.Light))
		require.Contains(t, CSS(), ".s-"+c.Name+"{stroke:"+Hex(c.Dark)+"}")
	}
	require.Empty(t, NameOf(color.Gray{77}))
}
