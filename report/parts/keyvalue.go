package parts

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/words"
)

// Keys writes lines of the form key=value.
type Keys struct{ *bufio.Writer }

// KeyValue writes a result for scripts: its identity and environment, its figures, the lines that own adds, and the
// verdict. A criterion is 1 if it is met, otherwise 0; if that isn't known, a second key marks it. The last key is
// Success: 1 for a verified result that is valid for comparison, otherwise 0.
func KeyValue[R any](w io.Writer, h Header, r *R, figures rating.Figures[R], v rating.Verdict, verified bool,
	own func(Keys)) error {
	k := Keys{bufio.NewWriter(w)}
	started := ""
	if at := h.Date(); !at.IsZero() {
		started = words.Timestamp(words.InUTC(at))
	}
	for _, line := range [][2]string{{"benchmark", h.Benchmark}, {"schema_version", fmt.Sprint(h.SchemaVersion)},
		{"beff_version", h.Beff}, {"system", NameOf(h.System, h.Host)}, {"host", h.Host.Name},
		{"machine", h.Host.Machine}, {"engine", h.Engine.Engine}, {"library", h.Engine.Library},
		{"library_version", h.Engine.Version}, {"imported", h.Imported}, {"started", started}} {
		k.Text(line[0], line[1])
	}
	for _, x := range h.System.Facts() {
		if x.Name != "system" {
			k.Text(x.Name, x.Text)
		}
	}
	k.Plain("wall_seconds", h.WallSeconds)
	k.Plain("processes", float64(h.Processes))
	Figures(k, "", figures, r)
	own(k)
	for _, c := range v.Criteria {
		key := "criterion_" + KeyName(c.Name)
		if k.Text(key, Flag(c.Reached)); c.Unknown {
			k.Text(key+"_unknown", Flag(true))
		}
	}
	k.Text("noisy", Flag(v.Noisy))
	k.Text("slowed", v.Slowed)
	k.Text("causes", strings.Join(lists.Each(v.Causes, func(c rating.Cause) string { return c.Code }), ","))
	for _, c := range v.Causes {
		k.Plain("cause_"+KeyName(c.Code)+"_effect_percent", math.Round(1e4*c.Effect)/1e2)
	}
	k.Text("warnings", fmt.Sprint(len(v.Warnings)))
	k.Text("verified", Flag(verified))
	k.Text("Success", Flag(verified && v.Valid))
	return k.Flush()
}

// Figures writes figures, each with the ends of its interval if known. The keys begin with prefix.
func Figures[R any](k Keys, prefix string, figures rating.Figures[R], r *R) {
	for _, f := range figures {
		v := f.Of(r)
		k.In(f.Unit, prefix+f.Key, v.Value)
		k.In(f.Unit, prefix+f.Key+"_low", v.Ends().Low)
		k.In(f.Unit, prefix+f.Key+"_high", v.Ends().High)
	}
}

// Text writes a text on one line, or nothing if it is empty.
func (k Keys) Text(key, value string) {
	if value = words.Line(value, ' '); value != "" {
		fmt.Fprintf(k, "%s=%s\n", key, value)
	}
}

// Plain writes a number unless it is 0, NaN or infinite.
func (k Keys) Plain(key string, x float64) {
	if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
		k.Text(key, strconv.FormatFloat(x, 'f', -1, 64))
	}
}

// Bytes writes a number of bytes.
func (k Keys) Bytes(key string, n int64) { k.Plain(key+"_bytes", float64(n)) }

// Mbps writes a bandwidth, given in bytes per second, in MB/s.
func (k Keys) Mbps(key string, x float64) { k.In(rating.Bandwidth, key, x) }

// suffixes maps the unit in which a value is written to the suffix of its key.
var suffixes = map[string]string{"MB/s": "_MBps", "µs": "_us", "s": "_seconds", "1/s": "_per_s", "%": "_percent",
	"B": "_bytes"}

// In writes a value in its unit.
func (k Keys) In(u rating.Unit, key string, x float64) { k.Plain(key+suffixes[u.Shown], u.In(x)) }

// Flag returns 1 for true and 0 for false.
func Flag(is bool) string {
	return words.Either(is, "1", "0")
}

// KeyName replaces each character that may not be in a key by _.
func KeyName(name string) string {
	return strings.Map(func(c rune) rune {
		return words.Either(c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z', c, '_')
	}, name)
}
