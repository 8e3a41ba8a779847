package exchange

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/publish"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/words"
)

// Public opens the output for result documents from which names are removed: one in a file or on stdout, or one for
// each result in a directory. It reports to stderr what was replaced.
func (o *Output) Public(stdout, stderr io.Writer) (*Sink, error) {
	if o.Format != "" || len(o.Tables) > 0 || o.Rows != nil {
		return nil, exit.Misuse("--public writes whole results: leave out --format, --table and conditions on rows")
	}
	directory := publish.IsDirectory(o.Path)
	write := func(f *report.File) error {
		text, replaced, err := f.Public()
		if err != nil {
			return err
		}
		path := o.Path
		if directory {
			const digits = 12 // of the digest, so that the name says nothing else
			path = filepath.Join(path, f.Benchmark()+"-"+f.Digest()[:min(digits, len(f.Digest()))]+".json")
			err = os.MkdirAll(o.Path, 0o755)
		}
		if path == "" || path == publish.Stdout {
			_, err = stdout.Write(text)
		} else if _, free := publish.Free(path, o.Force); free != nil {
			return free
		} else if err == nil {
			err = publish.Replace(path, func(w io.Writer) error {
				_, err := w.Write(text)
				return err
			})
		}
		if err == nil {
			fmt.Fprintf(stderr, "beff: %s: replaced %s\n", f.Name(), words.Either(replaced == "", "nothing", replaced))
		}
		return publish.Failed(err)
	}
	var only *report.File // the result that isn't written to a directory
	add := func(f *report.File) error {
		switch {
		case directory:
			return write(f)
		case only != nil:
			return exit.Misuse("--public: these are several results: give a directory, such as -o public/")
		}
		only = f
		return nil
	}
	end := func() error {
		if only == nil {
			return nil
		}
		return write(only)
	}
	return &Sink{Add: add, End: end, Drop: func() {}}, nil
}
