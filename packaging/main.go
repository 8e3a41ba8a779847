// Command packaging makes the files of a release: archives, Debian and RPM packages, their list of parts, and their
// checksums. The same sources give the same bytes: all times are the commit's, and nothing comes from the machine. It
// is a separate module, so that beff doesn't depend on the packaging tools.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

func main() {
	r := &release{}
	flag.StringVar(&r.root, "root", "..", "the project's directory")
	flag.StringVar(&r.out, "out", "../dist", "the directory to write to")
	arches := flag.String("arch", "amd64,arm64", "the processors to make packages for")
	flag.BoolVar(&r.archives, "archives", false, "make archives only, without Debian and RPM packages")
	flag.Parse()
	if err := r.make(strings.Split(*arches, ",")); err != nil {
		fmt.Fprintf(os.Stderr, "packaging: %v\n", err)
		os.Exit(1)
	}
}

// release is one version of the program and its files.
type release struct {
	root, out string
	archives  bool      // make archives only
	work      string    // directory for intermediate files
	version   string    // such as 0.1.0
	commit    []byte    // its hash and time, in the form of an archived file
	changed   bool      // the working copy differs from the commit
	time      time.Time // of all files
	shared    []file    // files that don't depend on the processor
}

// file is a file of the packages.
type file struct {
	source string // empty: a directory
	path   string // below the prefix: bin/beff
	mode   os.FileMode
}

// make makes all files of the release.
func (r *release) make(arches []string) (err error) {
	if err := os.MkdirAll(r.out, 0o777); err != nil {
		return err
	}
	if r.work, err = os.MkdirTemp("", "beff-packaging"); err != nil {
		return err
	}
	defer os.RemoveAll(r.work)
	if err := r.identify(); err != nil {
		return err
	}
	if err := r.prepare(); err != nil {
		return err
	}
	for _, arch := range arches {
		binary, err := r.build(arch)
		if err != nil {
			return err
		}
		plugins, err := r.plugins(arch)
		if err != nil {
			return err
		}
		files := slices.Concat([]file{{binary, "bin/beff", 0o755}, {"", "lib/beff", 0o755}}, plugins, r.shared)
		steps := []func(arch string, files []file) error{r.archive, r.packages}
		if r.archives {
			steps = steps[:1]
		}
		for _, step := range steps {
			if err := step(arch, files); err != nil {
				return fmt.Errorf("%s: %w", arch, err)
			}
		}
		if err := r.parts(arch, binary); err != nil {
			return fmt.Errorf("%s: %w", arch, err)
		}
	}
	return errors.Join(r.recipes(arches), r.checksums())
}

// name returns the path of a file of the release.
func (r *release) name(arch, ending string) string {
	return filepath.Join(r.out, fmt.Sprintf("beff-%s-linux-%s%s", r.version, arch, ending))
}

// archived is the file in which an archive of the sources names its commit, below the project's directory.
const archived = "rating/archived"

// ratings is the package that knows the commit.
const ratings = "github.com/effective-bandwidth/beff/rating"

// identify finds the commit and its time, in an archive of the sources or from the working copy. If the copy has
// changes, Go's build records the commit, and that there are changes.
func (r *release) identify() error {
	text, err := os.ReadFile(filepath.Join(r.root, archived))
	if err != nil {
		return err
	}
	if bytes.HasPrefix(text, []byte("$")) {
		if text, err = r.git("log", "-1", "--format=%H %cI"); err != nil {
			return fmt.Errorf("these sources are neither an archive nor a working copy: %w", err)
		}
		changes, err := r.git("status", "--porcelain")
		if err != nil {
			return err
		}
		r.changed = len(changes) > 0
	}
	r.commit = text
	_, date, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	r.time, err = time.Parse(time.RFC3339, date)
	r.time = r.time.UTC()
	return err
}

// git returns the output of a git command in the project's directory.
func (r *release) git(args ...string) ([]byte, error) {
	c := exec.Command("git", args...)
	c.Dir = r.root
	return c.Output()
}

// goBuild builds the program, without paths of this machine and without a build ID. If the sources have no changes, the
// linker sets the commit, and the archived file gets the contents that it has in a working copy. So a working copy and
// an archive of a commit give the same bytes, and Go packages that didn't change are the same for all commits.
func (r *release) goBuild(path string, environ ...string) error {
	flags, args := "-ldflags=-s -w -buildid=", []string{"build", "-trimpath", "-o", path}
	if !r.changed {
		flags += fmt.Sprintf(" -X '%s.commit=%s'", ratings, strings.TrimSpace(string(r.commit)))
		root, err := filepath.Abs(r.root)
		if err != nil {
			return err
		}
		replace := map[string]map[string]string{"Replace": {filepath.Join(root, archived): r.work + "/archived"}}
		overlay, err := json.Marshal(replace)
		if err == nil {
			err = errors.Join(os.WriteFile(r.work+"/archived", []byte("$Format:%H %cI$\n"), 0o666),
				os.WriteFile(r.work+"/overlay", overlay, 0o666))
		}
		if err != nil {
			return err
		}
		args = append(args, "-buildvcs=false", "-overlay="+r.work+"/overlay")
	}
	args = append(args, flags)
	c := exec.Command("go", append(args, "./cmd/beff")...)
	c.Dir = r.root
	c.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), environ...)
	c.Stdout, c.Stderr = os.Stderr, os.Stderr
	return c.Run()
}

// build builds the program for a processor, and returns its path.
func (r *release) build(arch string) (string, error) {
	path := filepath.Join(r.work, arch, "beff")
	if _, err := os.Stat(path); err == nil {
		return path, nil // this machine's, which prepare has built
	}
	return path, r.goBuild(path, "GOOS=linux", "GOARCH="+arch)
}
