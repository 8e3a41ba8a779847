package input

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
)

// Trusted returns an error unless nobody but this user, root and the owner of this program can change a file. Symbolic
// links are resolved first. As with OpenSSH's files, these three own the file and all directories above it, which
// neither their groups nor others may write to; directories above the user's home aren't looked at. The owner of the
// program counts, because he could change the program as well: software of a cluster often isn't root's. A directory
// such as /tmp may be above, whose sticky bit keeps each entry its owner's. It returns the path without links, which
// nobody else can make another file's.
func Trusted(path string) (real string, err error) {
	real, info, err := unlinked(path)
	if err == nil {
		err = regular(path, info)
	}
	if err == nil {
		err = safe(path, real)
	}
	return real, err
}

// ReadTrusted returns the text of a file that is trusted, of most bytes at most.
func ReadTrusted(path string, most int64) ([]byte, error) {
	real, err := Trusted(path)
	if err != nil {
		return nil, err
	}
	return ReadAll(real, most)
}

// TrustedDirectory returns the path of a directory without symbolic links, or an error if anybody else than Trusted
// names may make files there.
func TrustedDirectory(path string) (string, error) {
	real, info, err := unlinked(path)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "read", Path: path, Err: syscall.ENOTDIR}
	}
	if err == nil {
		err = safe(path, real)
	}
	return real, err
}

// unlinked returns the absolute path of a file without symbolic links. The working directory's name may have some, too.
// filepath.Abs would take a .. behind a link for the link's own directory.
func unlinked(path string) (real string, info fs.FileInfo, err error) {
	if !filepath.IsAbs(path) {
		var here string
		if here, err = os.Getwd(); err != nil {
			return "", nil, err
		}
		path = here + "/" + path
	}
	if real, err = filepath.EvalSymlinks(path); err == nil {
		info, err = os.Lstat(real)
	}
	return real, info, err
}

// safe returns an error that names what others may change on the way to a path.
func safe(path, real string) error {
	home, _ := os.UserHomeDir() // none: all directories are looked at
	if at, err := filepath.EvalSymlinks(home); err == nil {
		home = at
	}
	var open []string
	for p := real; ; p = filepath.Dir(p) {
		info, err := os.Lstat(p)
		if err != nil {
			return err
		}
		sticky := info.IsDir() && info.Mode()&fs.ModeSticky != 0
		switch owner := ownerOf(info); {
		case !trusts(owner):
			return fmt.Errorf("%s is not trusted: %s belongs to user %d: take a copy of your own", path, p, owner)
		case info.Mode().Perm()&0o022 == 0, sticky && p != real:
		case sticky:
			return fmt.Errorf("%s is not trusted: it is a directory of all users: take one of your own", path)
		default:
			open = append(open, p)
		}
		if p == home || p == filepath.Dir(p) {
			break
		}
	}
	if len(open) > 0 {
		return fmt.Errorf("%s is not trusted: its group or others may change it: chmod go-w %s", path,
			strings.Join(open, " "))
	}
	return nil
}

// ownerOf returns the user that a file belongs to.
func ownerOf(info fs.FileInfo) uint32 { return info.Sys().(*syscall.Stat_t).Uid }

// programs returns the owner of this program; false: it isn't known.
var programs = sync.OnceValues(func() (uint32, bool) {
	self, err := os.Executable()
	if err != nil {
		return 0, false
	}
	info, err := os.Stat(self)
	if err != nil {
		return 0, false
	}
	return ownerOf(info), true
})

// trusts reports whether files of a user are trusted.
func trusts(owner uint32) bool {
	program, known := programs()
	return owner == 0 || owner == uint32(os.Geteuid()) || known && owner == program
}

// Prefix returns the directory that this program is installed below, as PREFIX/bin/beff; empty: it lies anywhere else,
// where ../lib and ../etc may be anybody's.
func Prefix() string {
	self, err := os.Executable()
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	if dir := filepath.Dir(self); filepath.Base(dir) == "bin" {
		return filepath.Dir(dir)
	}
	return ""
}

// Target returns the file that a name of an output stands for, which need not be there, and what it is; nil: it isn't
// there. Whatever is no file is refused, and so is a link of a stranger, who could choose the file. In a directory such
// as /tmp, files of strangers are refused, as systems with fs.protected_regular refuse them (proc_sys_fs(5)): he could
// read and change what is written.
func Target(name string) (string, fs.FileInfo, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return "", nil, err
	default:
		if kind := kindOf(info); kind != "" {
			return "", nil, fmt.Errorf("%s is %s, and no file", name, kind)
		}
	}
	path, err := follow(name, true)
	if err == nil && info != nil {
		err = planted(path, info)
	}
	return path, info, err
}

// planted returns an error for a file of a stranger in a directory of all users.
func planted(path string, info fs.FileInfo) error {
	owner := ownerOf(info)
	shared, err := isShared(filepath.Dir(path), owner)
	if err == nil && shared {
		err = &fs.PathError{Op: "open", Path: path,
			Err: fmt.Errorf("is a file of user %d in a directory of all users: choose another name", owner)}
	}
	return err
}

// Beside returns an error for what a stranger has put beside a file that the user has named, or will make, in a
// directory of all users. What lies beside a file counts there only if it is of the same owner, this user's or root's.
func Beside(path, named string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // it isn't there
	}
	owner, of := ownerOf(info), uint32(os.Geteuid())
	if file, err := os.Stat(named); err == nil {
		of = ownerOf(file)
	}
	shared, err := isShared(filepath.Dir(path), owner)
	if err == nil && shared && owner != of {
		err = fmt.Errorf("%s is of user %d in a directory of all users, and %s isn't", path, owner,
			filepath.Base(named))
	}
	return err
}

// isShared reports whether a directory is such as /tmp, and what a user has put there may be a trap for this one.
func isShared(dir string, owner uint32) (bool, error) {
	if owner == 0 || owner == uint32(os.Geteuid()) {
		return false, nil
	}
	info, err := os.Stat(dir)
	if err != nil {
		return false, err
	}
	return info.Mode()&fs.ModeSticky != 0 && info.Mode().Perm()&0o002 != 0 && ownerOf(info) != owner, nil
}

// follow returns the path that a path stands for, without symbolic links, as far as it exists. In a directory such as
// /tmp, links of strangers are refused, as systems with fs.protected_symlinks refuse them (proc_sys_fs(5)). Own: a link
// in the last place is refused anywhere, unless it is this user's or root's.
func follow(path string, own bool) (string, error) {
	const most = 40 // links behind each other, as for the system
	done, rest := ".", strings.Split(path, "/")
	if filepath.IsAbs(path) {
		done = "/"
	}
	for links := 0; len(rest) > 0; {
		name := rest[0]
		rest = rest[1:]
		if name == "" || name == "." {
			continue
		}
		next := filepath.Join(done, name)
		info, err := os.Lstat(next)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return filepath.Join(append([]string{next}, rest...)...), nil
		case err != nil:
			return "", err
		case info.Mode()&fs.ModeSymlink == 0:
			done = next
			continue
		}
		if links++; links > most {
			return "", &fs.PathError{Op: "open", Path: path, Err: syscall.ELOOP}
		}
		last := own && strings.Trim(strings.Join(rest, ""), "./") == ""
		if err := followable(next, info, filepath.Dir(next), last); err != nil {
			return "", err
		}
		target, err := os.Readlink(next)
		if err != nil {
			return "", err
		}
		if filepath.IsAbs(target) {
			done = "/"
		}
		rest = append(strings.Split(target, "/"), rest...)
	}
	return done, nil
}

// followable returns an error for a link of a stranger.
func followable(link string, info fs.FileInfo, dir string, own bool) error {
	owner := ownerOf(info)
	if owner == 0 || owner == uint32(os.Geteuid()) {
		return nil
	}
	shared, err := isShared(dir, owner)
	if err != nil {
		return err
	}
	if own || shared {
		return &fs.PathError{Op: "open", Path: link,
			Err: fmt.Errorf("is a link of user %d, and not followed: name the file itself", owner)}
	}
	return nil
}
