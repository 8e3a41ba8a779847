package host

import (
	"context"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/procfs"

	"github.com/effective-bandwidth/beff/rating"
)

// Mount describes how the file system of a directory is mounted. It returns nothing for an empty path.
func Mount(root, directory string) (m rating.Mount) {
	if directory == "" {
		return m
	}
	fs, err := procfs.NewFS(filepath.Join(root, "proc"))
	if err != nil {
		return m
	}
	self, err := fs.Self()
	if err != nil {
		return m
	}
	infos, err := self.MountInfo()
	if err != nil {
		return m
	}
	path, err := filepath.EvalSymlinks(directory)
	if err != nil {
		path = directory
	}
	for _, i := range infos { // the last mount at a place counts
		inside := i.MountPoint == "/" || path == i.MountPoint || strings.HasPrefix(path, i.MountPoint+"/")
		if inside && len(i.MountPoint) >= len(m.Point) {
			options := maps.Clone(i.Options)
			maps.Copy(options, i.SuperOptions)
			m = rating.Mount{Point: i.MountPoint, Source: i.Source, Type: i.FSType, Options: inOrder(options)}
		}
	}
	m.Stripes = stripes(m.Type, path)
	return m
}

// inOrder returns options as the mount command shows them. It leaves out values that may be secrets.
func inOrder(options map[string]string) string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(options)) {
		value := options[name]
		switch {
		case value == "":
			list = append(list, name)
		case isSecret(name):
			list = append(list, name+"=(hidden)")
		default:
			list = append(list, name+"="+value)
		}
	}
	return strings.Join(list, ",")
}

// stripeCommands are the commands that print the striping of new files in a directory, by the type of the file system.
var stripeCommands = map[string][]string{
	"lustre": {"lfs", "getstripe", "-d"},
	"beegfs": {"beegfs-ctl", "--getentryinfo"},
	"gpfs":   {"mmlsattr", "-L"},
}

// stripes runs the file system's own command for the striping of new files in a directory.
func stripes(kind, directory string) string {
	command := stripeCommands[kind]
	if command == nil {
		return ""
	}
	const most = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.Background(), most)
	defer cancel()
	out, err := exec.CommandContext(ctx, command[0], append(command[1:], directory)...).Output()
	if err != nil {
		return ""
	}
	text := strings.Join(strings.Fields(strings.ToValidUTF8(string(out), "?")), " ")
	return text[:min(len(text), longestValue)]
}
