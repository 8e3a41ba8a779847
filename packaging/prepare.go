package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/cpuguy83/go-md2man/v2/md2man"
)

// prepare makes the files that are the same for all processors, by running the program on this machine.
func (r *release) prepare() error {
	binary, err := r.build(runtime.GOARCH)
	if err != nil {
		return err
	}
	run := func(args ...string) ([]byte, error) { return exec.Command(binary, args...).Output() }
	text, err := run("--version")
	if err != nil {
		return err
	}
	r.version = strings.TrimSpace(strings.TrimPrefix(string(text), "beff "))
	for shell, path := range map[string]string{
		"bash": "share/bash-completion/completions/beff", "zsh": "share/zsh/site-functions/_beff",
		"fish": "share/fish/vendor_completions.d/beff.fish",
	} {
		script, err := run("completion", shell)
		if err != nil {
			return err
		}
		if err := r.add(path, script); err != nil {
			return err
		}
	}
	example, err := run("config", "--example")
	if err != nil {
		return err
	}
	if err := r.add("share/doc/beff/beff.toml", example); err != nil {
		return err
	}
	if err := r.manual(binary); err != nil {
		return err
	}
	return r.documents()
}

// add adds a file with this content to the packages.
func (r *release) add(path string, content []byte) error {
	source := filepath.Join(r.work, "share", filepath.Base(filepath.Dir(path)), filepath.Base(path))
	if err := os.MkdirAll(filepath.Dir(source), 0o777); err != nil {
		return err
	}
	r.shared = append(r.shared, file{source, path, 0o644})
	return os.WriteFile(source, content, 0o666)
}

// manual turns the pages that the program writes into man pages.
func (r *release) manual(binary string) error {
	pages := filepath.Join(r.work, "manual")
	if out, err := exec.Command(binary, "manual", pages).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	names, err := filepath.Glob(filepath.Join(pages, "*.md"))
	if err != nil {
		return err
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		w, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // without time and name
		if _, err := w.Write(md2man.Render(text)); err != nil {
			return err
		}
		if err := w.Close(); err != nil {
			return err
		}
		page := strings.TrimSuffix(filepath.Base(name), ".md") + ".gz"
		if err := r.add("share/man/man1/"+page, b.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// documents adds the documentation, and files for modules, JUBE and ReFrame.
func (r *release) documents() error {
	for _, name := range []string{"README.md", "CHANGELOG.md", "LICENSE", "NOTICE", "CITATION.cff"} {
		r.shared = append(r.shared, file{filepath.Join(r.root, name), "share/doc/beff/" + name, 0o644})
	}
	trees := map[string]string{"docs": "share/doc/beff/docs", "packaging/modulefiles": "share/beff/modulefiles",
		"packaging/jube": "share/beff/jube", "packaging/reframe": "share/beff/reframe"}
	for from, to := range trees {
		top := filepath.Join(r.root, from)
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			below, err := filepath.Rel(top, path)
			if err == nil {
				r.shared = append(r.shared, file{path, to + "/" + filepath.ToSlash(below), 0o644})
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
