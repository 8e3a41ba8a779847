package site

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"time"

	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/ranking"
	"github.com/effective-bandwidth/beff/report/words"
)

//go:embed index.html
var indexHTML string

//go:embed index.css
var indexCSS string

//go:embed index.js
var indexJS string

var indexTemplate = template.Must(template.New("index").Parse(indexHTML))

// page is the data of the template index.html.
type page struct {
	Title, Subtitle     string
	Policy              string
	Style, Script, Data template.HTML
}

// index writes the page of the ranking.
func index(w io.Writer, title string, results []Result) error {
	data, err := json.Marshal(newData(results)) // it escapes <, > and &
	if err != nil {
		return err
	}
	css := document.Style() + indexCSS
	p := page{Title: title, Subtitle: subtitle(results),
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; script-src '%s'; style-src '%s'",
			hash(indexJS), hash(css)),
		Style:  template.HTML("<style>" + css + "</style>"),
		Script: template.HTML("<script>" + indexJS + "</script>"),
		Data:   template.HTML(`<script type="application/json" id="data">` + string(data) + "</script>"),
	}
	var b bytes.Buffer
	if err := indexTemplate.Execute(&b, p); err != nil {
		return err
	}
	_, err = b.WriteTo(w)
	return err
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// subtitle returns the numbers of results and systems, and the date of the newest result.
func subtitle(results []Result) string {
	var newest time.Time
	for _, r := range results {
		if r.Date.After(newest) {
			newest = r.Date
		}
	}
	text := fmt.Sprintf("%s of %s", words.Count(len(results), "result"), words.Count(len(systems(results)), "system"))
	if !newest.IsZero() {
		text += ", the newest of " + newest.Format("2006-01-02")
	}
	return text
}

// data is everything that the page's script knows.
type data struct {
	Classes []class  `json:"classes"`
	Rows    []row    `json:"rows"`
	Names   []string `json:"names"` // of facts
	Values  []string `json:"values"`
}

// class is a class of results, with the figures that they have.
type class struct {
	Name    string   `json:"name"`
	Rating  string   `json:"rating"` // key of the figure that ranks
	Figures []figure `json:"figures"`
}

type figure struct {
	Key  string `json:"key"`
	Name string `json:"name"`
	Unit string `json:"unit"`
	Less bool   `json:"less,omitempty"` // less is better
}

// row is a result.
type row struct {
	ID        string             `json:"id"`
	Class     int                `json:"class"`
	Rank      int                `json:"rank,omitempty"` // of its class and size
	OfAll     int                `json:"of_all,omitempty"`
	Best      bool               `json:"best,omitempty"` // of its system and size
	System    string             `json:"system"`
	Site      string             `json:"site,omitempty"`
	Note      string             `json:"note,omitempty"`
	Page      string             `json:"page"`
	Processes int                `json:"processes"`
	Nodes     int                `json:"nodes,omitempty"`
	Date      string             `json:"date,omitempty"`
	Library   string             `json:"library,omitempty"`
	Status    string             `json:"status"`
	Valid     bool               `json:"valid,omitempty"`
	Low       float64            `json:"low,omitempty"` // interval of the rating, in its unit
	High      float64            `json:"high,omitempty"`
	Figures   map[string]float64 `json:"figures"`
	Curve     [][2]float64       `json:"curve,omitempty"` // bytes and MB/s
	Facts     [][2]int           `json:"facts,omitempty"` // indices of names and values
	Report    string             `json:"report,omitempty"`
	Document  string             `json:"document,omitempty"`
}

// newData returns the rows of all classes in the order of their ranks.
func newData(results []Result) *data {
	d := &data{}
	by, pages := map[string]*Result{}, map[string]string{}
	var entries []ranking.Entry
	for i := range results {
		e := results[i].Entry
		e.File = results[i].ID
		by[e.File] = &results[i]
		entries = append(entries, e)
	}
	for _, s := range systems(results) {
		pages[s.name] = s.path
	}
	facts := newTexts()
	for i, section := range ranking.Rank(entries, true) {
		c := class{Name: section.Class.String()}
		figures := ranking.Figures(section.Class.Benchmark, ranking.FigureKeys())
		for _, f := range figures {
			c.Figures = append(c.Figures, figure{f.Key, f.Name, f.Unit, f.LessIsBetter})
			if f.Rating {
				c.Rating = f.Key
			}
		}
		d.Classes = append(d.Classes, c)
		best := map[[3]any]bool{}
		for _, r := range section.Rows {
			at := [3]any{r.System.Name, r.Processes, r.PerNode}
			x := newRow(by[r.File], &r, figures, facts)
			x.Class, x.Best, x.Page = i, !best[at], pages[r.System.Name]
			best[at] = true
			d.Rows = append(d.Rows, x)
		}
	}
	d.Names, d.Values = facts.names.list, facts.values.list
	return d
}

// newRow returns a result as the script knows it.
func newRow(r *Result, ranked *ranking.Row, figures []ranking.Figure, facts *factTexts) row {
	x := row{ID: r.ID, Rank: ranked.Rank, OfAll: ranked.OfAll, System: r.System.Name, Site: r.System.Site, Note: r.System.Note,
		Processes: r.Processes, Nodes: r.Nodes, Library: r.Library, Status: r.Status.String(), Valid: r.Status.Valid(),
		Figures: map[string]float64{}}
	if !r.Date.IsZero() {
		x.Date = r.Date.UTC().Format("2006-01-02 15:04")
	}
	for _, f := range figures {
		if v := f.Value(&r.Entry); v > 0 {
			x.Figures[f.Key] = rounded(v)
		}
	}
	if in := r.Within; in != nil {
		x.Low, x.High = rounded(in.Low/words.Mega), rounded(in.High/words.Mega)
	}
	for _, p := range r.Curve {
		x.Curve = append(x.Curve, [2]float64{float64(p.Bytes), rounded(p.Bandwidth / words.Mega)})
	}
	for _, f := range r.Facts {
		x.Facts = append(x.Facts, [2]int{facts.names.at(f.Name), facts.values.at(f.Value)})
	}
	if r.HasReport {
		x.Report = ReportPath(r.ID)
	}
	if r.HasDocument {
		x.Document = DocumentPath(r.ID)
	}
	return x
}

// rounded returns a number with six digits, which are more than any figure bears.
func rounded(x float64) float64 {
	var y float64
	fmt.Sscanf(fmt.Sprintf("%.6g", x), "%g", &y)
	return y
}

// factTexts holds the texts of facts, each once: those of a system's results are nearly the same.
type factTexts struct{ names, values texts }

func newTexts() *factTexts {
	return &factTexts{texts{places: map[string]int{}}, texts{places: map[string]int{}}}
}

type texts struct {
	list   []string
	places map[string]int
}

// at returns the place of a text.
func (t *texts) at(text string) int {
	i, known := t.places[text]
	if !known {
		i = len(t.list)
		t.places[text], t.list = i, append(t.list, text)
	}
	return i
}
