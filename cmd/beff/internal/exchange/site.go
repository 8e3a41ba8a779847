package exchange

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/internal/lists"
	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/site"
	"github.com/effective-bandwidth/beff/report/trend"
)

// Site is a web site of many results: pages of systems, reports, comparisons and documents.
type Site struct {
	Directory string
	Title     string
	Own       string // system to highlight
	MaxBytes  int64  // limit for the bytes of result documents
	Force     bool   // overwrite existing files
	Notices   []document.Notice

	written atomic.Int32 // number of files
}

// Write writes the site and returns the number of its files. files are the results' files, by path.
func (s *Site) Write(points []trend.Point, files map[string]*report.File) (written int, err error) {
	err = s.write(siteResults(points, files), files)
	return int(s.written.Load()), err
}

// maxReports limits the number of results with a report, in addition to the newest result of each cell, because a
// report takes 0.3 MB and half a second.
const maxReports = 200

// siteResults returns the results of the site, the newest first. The newest results, and the newest result of each
// cell, have a report, unless the run is still under way.
func siteResults(points []trend.Point, files map[string]*report.File) []site.Result {
	slices.SortStableFunc(points, func(a, b trend.Point) int { return -a.Date.Compare(b.Date) })
	names := lists.Each(points, func(p trend.Point) string { return input.Stem(filepath.Base(p.Path)) })
	results := make([]site.Result, len(points))
	var cells rating.Cells
	for i, id := range site.IDs(names) {
		p := points[i]
		from := files[p.Path]
		results[i] = site.Result{Point: p, ID: id}
		if from.Journal == "" {
			_, first := cells.Of(p.Basis())
			results[i].HasReport = first || i < maxReports
		}
	}
	return results
}

// put writes a file of the site, and counts it.
func (s *Site) put(path string, write func(io.Writer) error) error {
	s.written.Add(1)
	return publish.Replace(filepath.Join(s.Directory, path), write)
}

// write writes all files.
func (s *Site) write(results []site.Result, files map[string]*report.File) error {
	for _, dir := range []string{"comparisons", "reports", "results", "systems"} {
		if err := os.MkdirAll(filepath.Join(s.Directory, dir), 0o755); err != nil {
			return err
		}
	}
	if err := s.free(results); err != nil {
		return err
	}
	for left, i := s.MaxBytes, 0; i < len(results); i++ { // as many of the newest documents as fit
		from := files[results[i].Path]
		if from.Journal != "" {
			continue // its document has no samples yet
		}
		n, err := s.document(&results[i], from, left)
		if err != nil {
			return err
		}
		if n == 0 {
			break
		}
		results[i].HasDocument = true
		left -= n
	}
	if err := s.reports(results, files); err != nil {
		return err
	}
	comparisons, err := s.comparisons(results, files)
	if err != nil {
		return err
	}
	return lists.Try(site.Files(s.Title, s.Own, results, comparisons, s.Notices), func(f site.File) error {
		return s.put(f.Path, f.Write)
	})
}

// free returns an error if a file of the site exists, unless it may be overwritten.
func (s *Site) free(results []site.Result) error {
	paths := slices.Concat(
		lists.Flat(results, func(r site.Result) []string {
			return []string{site.ReportPath(r.ID), site.DocumentPath(r.ID)}
		}),
		lists.Each(site.Comparisons(results), func(x site.Comparison) string { return x.Path }),
		lists.Each(site.Files(s.Title, s.Own, results, nil, nil), func(f site.File) string { return f.Path }))
	return lists.Try(paths, func(path string) error {
		_, err := publish.Free(filepath.Join(s.Directory, path), s.Force)
		return err
	})
}

// document writes a result's document as it was checked, compressed. It returns the compressed size in bytes. If this
// is more than room, it writes nothing and returns 0.
func (s *Site) document(r *site.Result, from *report.File, room int64) (int64, error) {
	text, err := from.Text()
	if err != nil {
		return 0, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, err = z.Write(text)
	if err = errors.Join(err, z.Close()); err != nil || int64(packed.Len()) > room {
		return 0, err
	}
	size := int64(packed.Len())
	return size, s.put(site.DocumentPath(r.ID), func(w io.Writer) error {
		_, err := packed.WriteTo(w)
		return err
	})
}

// reports writes the reports of the results that have one, on all processors.
func (s *Site) reports(results []site.Result, files map[string]*report.File) error {
	var workers errgroup.Group
	workers.SetLimit(runtime.GOMAXPROCS(0))
	for i := range results {
		if r := &results[i]; r.HasReport {
			workers.Go(func() error { return s.report(r, files[r.Path]) })
		}
	}
	return workers.Wait()
}

// report writes the report of a result.
func (s *Site) report(r *site.Result, from *report.File) error {
	f, err := from.Again()
	if err != nil {
		return err
	}
	d := f.Document()
	if figures := d.Figures(); len(figures) > 0 {
		r.Picture = figures[0]
	}
	return s.page(site.ReportPath(r.ID), d)
}

// page writes a document as a page that leads back to the index.
func (s *Site) page(path string, d *document.Document) error {
	d.Lead.Links = append(d.Lead.Links, document.Link{Text: "All systems", Address: "../index.html"})
	return s.put(path, func(w io.Writer) error { return document.HTML(w, d) })
}

// comparisons writes the comparisons of the site and returns them. Results without common figures have none.
func (s *Site) comparisons(results []site.Result, files map[string]*report.File) (list []site.Comparison,
	err error) {
	paths := map[string]string{}
	for _, r := range results {
		paths[r.ID] = r.Path
	}
	for _, x := range site.Comparisons(results) {
		var sides []report.Side
		for _, ids := range x.Sides {
			var side report.Side
			for _, id := range ids {
				f, err := files[paths[id]].Again()
				if err != nil {
					return nil, err
				}
				side = append(side, f)
			}
			sides = append(sides, side)
		}
		made, err := report.Compare(sides)
		if err != nil {
			continue
		}
		if err := s.page(x.Path, made.Document); err != nil {
			return nil, err
		}
		list = append(list, x)
	}
	return list, nil
}
