// Command packaging makes the files of a release: archives, Debian and RPM packages, their list of parts, and their
// checksums. The same sources make the same bytes: all times are that of the commit, and nothing is taken from the
// machine. It is a module of its own, so that beff doesn't depend on what packages it.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

func main() {
	r := &release{}
	flag.StringVar(&r.root, "root", "..", "the project's directory")
	flag.StringVar(&r.out, "out", "../dist", "the directory to write to")
	arches := flag.String("arch", "amd64,arm64", "the processors to make packages for")
	flag.Parse()
	if err := r.make(strings.Split(*arches, ",")); err != nil {
		fmt.Fprintf(os.Stderr, "packaging: %v\n", err)
		os.Exit(1)
	}
}

// release is one version of the program and its files.
type release struct {
	root, out string
	work      string    // directory for what is made on the way
	version   string    // such as 0.1.0
	time      time.Time // of everything
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
	if r.time, err = r.commitTime(); err != nil {
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
		files := append([]file{{binary, "bin/beff", 0o755}, {"", "lib/beff", 0o755}}, r.shared...)
		for _, step := range []func(arch string, files []file) error{r.archive, r.packages} {
			if err := step(arch, files); err != nil {
				return fmt.Errorf("%s: %w", arch, err)
			}
		}
		if err := r.parts(arch, binary); err != nil {
			return fmt.Errorf("%s: %w", arch, err)
		}
	}
	return r.checksums()
}

// name returns the path of a file of the release.
func (r *release) name(arch, ending string) string {
	return filepath.Join(r.out, fmt.Sprintf("beff-%s-linux-%s%s", r.version, arch, ending))
}

// commitTime returns SOURCE_DATE_EPOCH, or else the time of the commit.
func (r *release) commitTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		c := exec.Command("git", "log", "-1", "--format=%ct")
		c.Dir = r.root
		out, err := c.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("the time of the commit isn't known: set SOURCE_DATE_EPOCH: %w", err)
		}
		text = strings.TrimSpace(string(out))
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// goBuild builds the program. Paths of this machine and the build's own number stay out of it.
func (r *release) goBuild(path string, environ ...string) error {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=auto", "-ldflags=-s -w -buildid=", "-o", path,
		"./cmd/beff")
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
