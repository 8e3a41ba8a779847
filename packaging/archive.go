package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// archive writes the archive, whose files are below a directory that is named after the release.
func (r *release) archive(arch string, files []file) (err error) {
	name := r.name(arch, ".tar.gz")
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	top := strings.TrimSuffix(filepath.Base(name), ".tar.gz")
	for _, x := range withDirectories(files) {
		if err := r.put(t, top, x); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// withDirectories returns files with their directories, sorted.
func withDirectories(files []file) []file {
	all := map[string]file{}
	for _, x := range files {
		all[x.path] = x
		for dir := path.Dir(x.path); dir != "."; dir = path.Dir(dir) {
			all[dir] = file{"", dir, 0o755}
		}
	}
	var list []file
	for _, x := range all {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return list
}

// put writes one file, which belongs to root.
func (r *release) put(t *tar.Writer, top string, x file) error {
	h := &tar.Header{Name: top + "/" + x.path, Mode: int64(x.mode), ModTime: r.time, Uname: "root", Gname: "root",
		Format: tar.FormatUSTAR, Typeflag: tar.TypeReg}
	if x.source == "" {
		h.Typeflag, h.Name = tar.TypeDir, h.Name+"/"
		return t.WriteHeader(h)
	}
	content, err := os.ReadFile(x.source)
	if err != nil {
		return err
	}
	h.Size = int64(len(content))
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	_, err = t.Write(content)
	return err
}

// checksums writes the SHA-256 of each file of the release, in the form of sha256sum.
func (r *release) checksums() error {
	names, err := filepath.Glob(filepath.Join(r.out, "beff*"))
	if err != nil {
		return err
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		sum, err := digest(name)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, filepath.Base(name))
	}
	return os.WriteFile(filepath.Join(r.out, "SHA256SUMS"), []byte(b.String()), 0o666)
}

// digest returns the SHA-256 of a file, in hexadecimal digits.
func digest(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	_, err = io.Copy(hash, f)
	return hex.EncodeToString(hash.Sum(nil)), errors.Join(err, f.Close())
}

// builders are the recipes with which package managers unpack the archives. They check the archives' digests.
var builders = []string{"easybuild/beff-0.1.0.eb", "spack/packages/beff/package.py"}

// recipes writes builders with the digests of this release.
func (r *release) recipes(arches []string) error {
	var replace []string
	for _, arch := range arches {
		sum, err := digest(r.name(arch, ".tar.gz"))
		if err != nil {
			return err
		}
		replace = append(replace, "@"+arch+"@", sum)
	}
	for _, name := range builders {
		text, err := os.ReadFile(filepath.Join(r.root, "packaging", name))
		if err != nil {
			return err
		}
		made := filepath.Join(r.out, "recipes", name)
		if err := os.MkdirAll(filepath.Dir(made), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(made, []byte(strings.NewReplacer(replace...).Replace(string(text))), 0o666); err != nil {
			return err
		}
	}
	return nil
}
