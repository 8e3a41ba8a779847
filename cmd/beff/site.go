package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/history"
	"github.com/effective-bandwidth/beff/report/input"
	"github.com/effective-bandwidth/beff/report/parts"
	"github.com/effective-bandwidth/beff/report/site"
	"github.com/effective-bandwidth/beff/report/words"
)

// siteCommand is `beff site`.
type siteCommand struct {
	Results []string   `arg:"" name:"result" help:"${list_results}"`
	Output  string     `short:"o" required:"" placeholder:"DIR" help:"Write the site to this directory."`
	Title   string     `placeholder:"TEXT" default:"Effective bandwidth of systems" help:"Title of the site."`
	Most    size.Bytes `placeholder:"SIZE" default:"80MB" help:"${site_most}"`
	chosen
	signed
	Unverified bool `help:"Take results that don't verify, and mark them."`
}

// Run is called by the command line.
func (c *siteCommand) Run(p *process) error {
	flags := &publish.Flags{Unverified: c.Unverified}
	curves := curves{of: map[string][]parts.CurvePoint{}}
	points, refused, err := read(c.Results, flags, c.signed, true, curves.keep)
	if err != nil {
		return err
	}
	if points, err = c.choose(points, time.Now()); err != nil {
		return err
	}
	if len(points) == 0 {
		if err := publish.Refuse(p.stderr, refused, len(c.Results)); err != nil {
			return exit.Misuse("site: no results: %w", err)
		}
		return exit.Misuse("site: no results")
	}
	results := c.results(points, curves.of)
	written, err := c.write(results)
	if err != nil {
		return fmt.Errorf("site: %w", err)
	}
	fmt.Fprintf(p.stderr, "beff: %s written to %s: open %s\n", words.Count(written, "file"), c.Output,
		filepath.Join(c.Output, "index.html"))
	return publish.Refuse(p.stderr, refused, len(c.Results))
}

// curves holds the curves of results by their paths.
type curves struct {
	sync.Mutex
	of map[string][]parts.CurvePoint
}

func (c *curves) keep(f *report.File) {
	c.Lock()
	defer c.Unlock()
	c.of[f.Path] = f.Curve()
}

// results returns the results of the site, the newest first. The newest ones of each system, class and size have a
// report.
func (c *siteCommand) results(points []history.Point, curves map[string][]parts.CurvePoint) []site.Result {
	slices.SortStableFunc(points, func(a, b history.Point) int { return -a.Date.Compare(b.Date) })
	var names []string
	for _, p := range points {
		names = append(names, input.Stem(filepath.Base(p.Path)))
	}
	results := make([]site.Result, len(points))
	seen := map[string]bool{}
	for i, id := range site.IDs(names) {
		p := points[i]
		of := fmt.Sprintf("%v %s %d %d", p.Class, p.System.Name, p.Processes, p.PerNode)
		results[i] = site.Result{Point: p, ID: id, HasReport: !seen[of], Curve: curves[p.Path]}
		seen[of] = true
	}
	return results
}

// write writes all files and returns their number.
func (c *siteCommand) write(results []site.Result) (written int, err error) {
	for _, dir := range []string{"reports", "results", "systems"} {
		if err := os.MkdirAll(filepath.Join(c.Output, dir), 0o755); err != nil {
			return 0, err
		}
	}
	for left, i := int64(c.Most), 0; i < len(results); i++ { // as many of the newest ones as there is room for
		n, err := c.document(&results[i], left)
		if err != nil {
			return written, err
		}
		if n == 0 {
			break
		}
		results[i].HasDocument = true
		left -= n
		written++
	}
	n, err := c.reports(results)
	if err != nil {
		return written, err
	}
	written += n
	for _, f := range site.Files(c.Title, results) {
		if err := publish.Replace(filepath.Join(c.Output, f.Path), f.Write); err != nil {
			return written, err
		}
		written++
	}
	return written, nil
}

// document writes a result's document, compressed, if it has room in so many bytes. It returns its size, 0 if it has
// not.
func (c *siteCommand) document(r *site.Result, room int64) (int64, error) {
	from, err := os.Open(r.Path)
	if err != nil {
		return 0, err
	}
	defer from.Close()
	path := filepath.Join(c.Output, site.DocumentPath(r.ID))
	err = publish.Replace(path, func(w io.Writer) error {
		plain, packed, err := input.Unpacked(from)
		if err != nil {
			return err
		}
		if packed {
			_, err := from.Seek(0, io.SeekStart)
			_, failed := io.Copy(w, from)
			return errors.Join(err, failed)
		}
		z := gzip.NewWriter(w)
		_, err = io.Copy(z, plain)
		return errors.Join(err, z.Close())
	})
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() <= room {
		return info.Size(), err
	}
	return 0, os.Remove(path)
}

// reports writes the reports of the results that have one, on all processors, and returns their number.
func (c *siteCommand) reports(results []site.Result) (int, error) {
	next, written := make(chan *site.Result), 0
	var workers sync.WaitGroup
	var lock sync.Mutex
	var failed error
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for r := range next {
				err := c.report(r)
				lock.Lock()
				failed = errors.Join(failed, err)
				written++
				lock.Unlock()
			}
		})
	}
	for i := range results {
		if results[i].HasReport {
			next <- &results[i]
		}
	}
	close(next)
	workers.Wait()
	return written, failed
}

// report writes the report of a result.
func (c *siteCommand) report(r *site.Result) error {
	f := report.Read(r.Path)
	if !f.Usable {
		return f.Problem
	}
	d := f.Document()
	d.Lead.Links = append(d.Lead.Links, document.Link{Text: "All systems", Address: "../index.html"})
	return publish.Replace(filepath.Join(c.Output, site.ReportPath(r.ID)), func(w io.Writer) error {
		return document.HTML(w, d)
	})
}
