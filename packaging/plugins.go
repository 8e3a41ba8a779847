package main

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// interfaces are the binary interfaces for which the release has plug-ins. wrapper is a compiler wrapper that knows the
// directory of the interface's mpi.h. It is empty for the standard's mpi.h, which is among the sources.
var interfaces = []struct{ name, wrapper string }{
	{"abi", ""}, {"mpich", "mpicc.mpich"}, {"openmpi", "mpicc.openmpi"},
}

// crossCompilers are the compilers for processors other than this machine's.
var crossCompilers = map[string]string{"amd64": "x86_64-linux-gnu-gcc", "arm64": "aarch64-linux-gnu-gcc"}

// plugins makes the plug-ins for a processor. It prints what is missing for a plug-in, and then leaves the plug-in out.
func (r *release) plugins(arch string) (list []file, err error) {
	compiler := crossCompilers[arch]
	if arch == runtime.GOARCH {
		compiler = "gcc"
	}
	if _, err := exec.LookPath(compiler); err != nil {
		fmt.Fprintf(os.Stderr, "packaging: %v: there are no plug-ins for %s\n", err, arch)
		return nil, nil
	}
	binary, err := r.build(runtime.GOARCH)
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Join(r.work, arch), 0o777); err != nil {
		return nil, err
	}
	for _, i := range interfaces {
		headers, err := r.headers(i.wrapper)
		if err != nil {
			fmt.Fprintf(os.Stderr, "packaging: %v: there is no plug-in %s for %s\n", err, i.name, arch)
			continue
		}
		path := filepath.Join(r.work, arch, i.name+".so")
		command := strings.Join(append([]string{compiler}, headers...), " ")
		if out, err := exec.Command(binary, "mpi", "build", command, path).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("plug-in %s for %s: %w: %s", i.name, arch, err, out)
		}
		if err := checkLibraries(path); err != nil {
			return nil, err
		}
		list = append(list, file{path, "lib/beff/" + i.name + ".so", 0o644})
	}
	return list, nil
}

// headers returns the flags with which a compiler finds a wrapper's mpi.h.
func (r *release) headers(wrapper string) (flags []string, err error) {
	if wrapper == "" {
		dir, err := filepath.Abs(filepath.Join(r.root, "mpi/libmpi/plugin/abi"))
		return []string{"-I" + dir}, err
	}
	out, err := exec.Command(wrapper, "-show").Output()
	for _, word := range strings.Fields(string(out)) {
		if strings.HasPrefix(word, "-I") {
			flags = append(flags, word)
		}
	}
	return flags, err
}

// oldest is the C library with which plug-ins must work: glibc 2.17 (2012), the first one for arm64.
const oldest = 17

// checkLibraries returns an error if a plug-in needs a newer C library, or any other library.
func checkLibraries(path string) error {
	f, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return err
	}
	for _, s := range symbols {
		minor, _, _ := strings.Cut(strings.TrimPrefix(s.Version, "GLIBC_2."), ".")
		if n, err := strconv.Atoi(minor); s.Version != "" && (err != nil || n > oldest || s.Library != "libc.so.6") {
			return fmt.Errorf("%s needs %s of %s, %s", path, s.Name, s.Library, s.Version)
		}
	}
	return nil
}
