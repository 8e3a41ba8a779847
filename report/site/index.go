package site

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // for the page's parts
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"slices"
	"time"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/history"
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
	Pictures            []picture
	Comparisons         []Comparison
}

// picture is that of a class.
type picture struct {
	Class   int
	Caption string
	SVG     template.HTML
}

// index writes the page of the ranking.
func index(w io.Writer, title string, results []Result, comparisons []Comparison) error {
	data, err := json.Marshal(newData(results)) // it escapes <, > and &
	if err != nil {
		return err
	}
	css := document.Style() + indexCSS
	p := page{Title: title, Subtitle: subtitle(results), Pictures: pictures(results), Comparisons: comparisons,
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

// pictures returns that of each class in which two systems or more are ranked.
func pictures(results []Result) (list []picture) {
	for i, s := range ranking.Rank(entriesOf(results), false) {
		if f := s.Dots("ranking"); f != nil {
			list = append(list, picture{i, f.Caption, document.Inline(f)})
		}
	}
	return list
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
	Classes []class `json:"classes"`
	Rows    []row   `json:"rows"`
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

// row is a result, or the mean of several ones, as beff list has it.
type row struct {
	Class     int                `json:"class"`
	Rank      int                `json:"rank,omitempty"` // of its class and size
	OfAll     int                `json:"of_all,omitempty"`
	Shown     bool               `json:"shown,omitempty"` // where each system has a row
	Mean      bool               `json:"mean,omitempty"`  // it is that of several results
	Runs      int                `json:"runs,omitempty"`  // of a mean
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
	Report    string             `json:"report,omitempty"`
	Document  string             `json:"document,omitempty"`
}

// newData returns the rows of all classes in the order of their ranks.
func newData(results []Result) *data {
	d := &data{}
	by, pages := map[string]*Result{}, map[string]string{}
	entries := entriesOf(results)
	for i := range results {
		by[results[i].ID] = &results[i]
	}
	for _, s := range systems(results) {
		pages[s.name] = s.path
	}
	means := ranking.Rank(entries, false)
	for i, section := range ranking.Rank(entries, true) {
		c := class{Name: section.Class.String()}
		figures := slices.DeleteFunc(ranking.Figures(section.Class.Benchmark),
			func(f rating.Figure) bool { return !f.Listed })
		for _, f := range figures {
			c.Figures = append(c.Figures, figure{f.Key, f.Name, f.Unit.Shown, f.Less})
			if f.Key == section.Class.Benchmark {
				c.Rating = f.Key
			}
		}
		d.Classes = append(d.Classes, c)
		single := map[string]bool{} // results with a row of their own in the list
		for _, r := range means[i].Rows {
			from := by[r.File]
			if single[r.File] = from != nil; from != nil {
				continue
			}
			mean := Result{Point: history.Point{Entry: *r.Entry}}
			x := newRow(&mean, &r, figures)
			x.Class, x.Shown, x.Mean, x.Runs, x.Page = i, true, true, r.Shown, pages[r.System.Name]
			d.Rows = append(d.Rows, x)
		}
		for _, r := range section.Rows {
			x := newRow(by[r.File], &r, figures)
			x.Class, x.Shown, x.Page = i, single[r.File], pages[r.System.Name]
			d.Rows = append(d.Rows, x)
		}
	}
	return d
}

// newRow returns a result as the script knows it.
func newRow(r *Result, ranked *ranking.Row, figures []rating.Figure) row {
	x := row{Rank: ranked.Rank, OfAll: ranked.OfAll,
		System: r.System.Name, Site: r.System.Site, Note: r.System.Note,
		Processes: r.Processes, Nodes: r.Nodes, Library: r.Library, Status: r.Status.String(), Valid: r.Status.Valid(),
		Figures: map[string]float64{}}
	if !r.Date.IsZero() {
		x.Date = r.Date.UTC().Format("2006-01-02 15:04")
	}
	for _, f := range figures {
		if v, known := r.Figures[f.Key]; known {
			x.Figures[f.Key] = rounded(f.Unit.In(v.Value))
		}
	}
	if in := cmp.Or(ranked.Between, r.Within()); in != nil {
		x.Low, x.High = rounded(rating.Bandwidth.In(in.Low)), rounded(rating.Bandwidth.In(in.High))
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
