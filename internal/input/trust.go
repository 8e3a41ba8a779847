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

// Trusted returns an error unless only this user, root and the owner of this program can change a file. It resolves
// symbolic links first. As with OpenSSH's files, these three must own the file and all directories above it, and
// neither groups nor others may have write permission; directories above the user's home aren't checked. The owner of
// the program is trusted because he could change the program as well: on clusters, software often doesn't belong to
// root. The file may be below a directory such as /tmp, whose sticky bit protects each entry. Trusted returns the path
// without links, so that nobody else can redirect it to another file.
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

// ReadTrusted returns the contents of a trusted file, which may have at most most bytes.
func ReadTrusted(path string, most int64) ([]byte, error) {
	real, err := Trusted(path)
	if err != nil {
		return nil, err
	}
	return ReadAll(real, most)
}

// TrustedDirectory returns the path of a directory without symbolic links, or an error if users that Trusted doesn't
// accept may make files there.
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
// filepath.Abs would take .. after a link as the directory that contains the link.
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

// safe returns an error that names the first file or directory of the path that others may change.
func safe(path, real string) error {
	home, _ := os.UserHomeDir() // without a home, all directories are checked
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
			return fmt.Errorf("%s is not trusted: %s belongs to user %d: use your own copy", path, p, owner)
		case info.Mode().Perm()&0o022 == 0, sticky && p != real:
		case sticky:
			return fmt.Errorf("%s is not trusted: it is a directory of all users: use your own directory", path)
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

// programs returns the owner of this program, and whether it is known.
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

// Prefix returns the directory PREFIX if this program is installed as PREFIX/bin/beff. Otherwise it returns "", because
// ../lib and ../etc may belong to anybody.
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

// OutputTarget returns the file that an output's name refers to, and its FileInfo, which is nil if the file doesn't
// exist. It returns an error for anything but a regular file, and for a link of another user, who could choose the
// file. In a directory such as /tmp, it returns an error for other users' files, like systems with fs.protected_regular
// (proc_sys_fs(5)), because their owners could read and change the output.
func OutputTarget(name string) (string, fs.FileInfo, error) {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		info = nil
	case err != nil:
		return "", nil, err
	default:
		if kind := kindOf(info); kind != "" {
			return "", nil, fmt.Errorf("%s is %s, not a file", name, kind)
		}
	}
	path, err := follow(name, true)
	if err == nil && info != nil {
		err = planted(path, info)
	}
	return path, info, err
}

// planted returns an error for another user's file in a directory of all users.
func planted(path string, info fs.FileInfo) error {
	owner := ownerOf(info)
	shared, err := isShared(filepath.Dir(path), owner)
	if err == nil && shared {
		err = &fs.PathError{Op: "open", Path: path,
			Err: fmt.Errorf("is a file of user %d in a directory of all users: choose another name", owner)}
	}
	return err
}

// CheckCompanion returns an error if another user may have put the file path into the directory of the file named,
// which may not exist yet. In a directory of all users, path must have the same owner as named, or belong to this user
// or root.
func CheckCompanion(path, named string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return nil // it doesn't exist
	}
	owner, of := ownerOf(info), uint32(os.Geteuid())
	if file, err := os.Stat(named); err == nil {
		of = ownerOf(file)
	}
	shared, err := isShared(filepath.Dir(path), owner)
	if err == nil && shared && owner != of {
		err = fmt.Errorf("%s belongs to user %d in a directory of all users, and %s doesn't", path, owner,
			filepath.Base(named))
	}
	return err
}

// isShared reports whether a directory is like /tmp and owner is another user, whose entries there may be traps.
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

// follow resolves the symbolic links of a path, as far as it exists. In a directory such as /tmp it returns an error
// for other users' links, like systems with fs.protected_symlinks (proc_sys_fs(5)). If own is true, it does so in any
// directory if the last element is a link that belongs neither to this user nor to root.
func follow(path string, own bool) (string, error) {
	const most = 40 // links, as in the kernel
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

// followable returns an error for another user's link that follow doesn't accept.
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
			Err: fmt.Errorf("is a link of user %d, which is not followed: name the file itself", owner)}
	}
	return nil
}
