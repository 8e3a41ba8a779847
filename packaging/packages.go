package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb"
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm"
)

// format is a format of packages.
type format struct {
	name       string            // nfpm's
	places     map[string]string // directories of the distributions that differ from the archive's
	recommends []string          // any MPI
}

var formats = []format{
	{name: "deb", places: map[string]string{"share/zsh/site-functions": "share/zsh/vendor-completions"},
		recommends: []string{"mpi-default-bin | openmpi-bin | mpich"}},
	{name: "rpm"},
}

const description = `One honest number for the communication of a parallel machine, one for its I/O.
beff measures b_eff and b_eff_io, the effective bandwidths of communication and
of files, over any MPI or over this machine's memory, and shows
the detail behind them: reports, comparisons, rankings, and the kernels of the
Intel MPI Benchmarks.`

// packages writes the packages of the distributions.
func (r *release) packages(arch string, list []file) error {
	for i := range formats {
		if err := r.packageOf(&formats[i], arch, list); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) packageOf(f *format, arch string, list []file) (err error) {
	info := nfpm.WithDefaults(&nfpm.Info{
		Name: "beff", Arch: arch, Platform: "linux", Version: r.version, Release: "1", Section: "utils",
		Priority: "optional", Maintainer: "The beff authors <https://github.com/effective-bandwidth/beff>",
		Description: description,
		Homepage:    "https://github.com/effective-bandwidth/beff", License: "Apache-2.0", MTime: r.time,
		DisableGlobbing: true,
	})
	info.Recommends = f.recommends
	info.Depends = nil // the binary needs no versioned symbol of the C library
	info.RPM.BuildHost = "localhost"
	info.RPM.Group = "Applications/System"
	info.RPM.Summary, _, _ = strings.Cut(description, "\n")
	info.Scripts.PostRemove = filepath.Join(r.root, "packaging", "postremove")
	for _, x := range list {
		info.Contents = append(info.Contents, r.content(f, x))
	}
	if err := nfpm.PrepareForPackager(info, f.name); err != nil {
		return err
	}
	packager, err := nfpm.Get(f.name)
	if err != nil {
		return err
	}
	out, err := os.Create(r.name(arch, "."+f.name))
	if err != nil {
		return err
	}
	return errors.Join(packager.Package(info, out), out.Close())
}

// content returns a file in nfpm's form.
func (r *release) content(f *format, x file) *files.Content {
	path := x.path
	for from, to := range f.places {
		if rest, ok := strings.CutPrefix(path, from); ok {
			path = to + rest
		}
	}
	c := &files.Content{Source: x.source, Destination: "/usr/" + path,
		FileInfo: &files.ContentFileInfo{Owner: "root", Group: "root", Mode: x.mode, MTime: r.time}}
	if x.source == "" {
		c.Type = files.TypeDir
	}
	return c
}
