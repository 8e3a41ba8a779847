package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// setup is the preparation of a run: its directory, the words that start it, and how to undo the preparation.
type setup struct {
	dir     string // the run's directory; its parent has the programs of this campaign
	engine  engine
	wrapper []string // words before the launcher's
	undo    []func()
}

//go:embed shim/moosefs
var moosefs []byte

// shell runs a command line, whose words must not contain spaces.
func (w *setup) shell(format string, args ...any) error {
	words := strings.Fields(fmt.Sprintf(format, args...))
	out, err := exec.Command(words[0], words[1:]...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", strings.Join(words, " "), err, out)
	}
	return nil
}

// afterwards runs a command line after the run, and ignores its error.
func (w *setup) afterwards(format string, args ...any) {
	w.undo = append(w.undo, func() { _ = w.shell(format, args...) })
}

// tmpfs returns a preparation that mounts a small file system in memory in the run's directory.
func tmpfs(at, options string) func(*setup) error {
	return func(w *setup) error {
		place := filepath.Join(w.dir, at)
		w.afterwards("umount -l %s", place)
		return w.shell("mount -t tmpfs -o %s none %s", options, place)
	}
}

// ext4 returns a preparation that creates a file system on a loop device and mounts it in the run's directory.
func ext4(at string) func(*setup) error {
	return image(at, "mkfs.ext4 -q -E lazy_itable_init=1", "errors=remount-ro")
}

// image is like ext4, but takes the command that creates the file system, and the options of mount.
func image(at, mkfs, options string) func(*setup) error {
	return func(w *setup) error {
		place, image := filepath.Join(w.dir, at), filepath.Join(w.dir, "..", filepath.Base(w.dir)+".image")
		for _, line := range []string{"truncate -s 1536M " + image, mkfs + " " + image,
			"mount -o loop," + options + " " + image + " " + place,
			"rm -rf " + filepath.Join(place, "lost+found")} {
			if err := w.shell("%s", line); err != nil {
				return err
			}
		}
		w.afterwards("umount -l %s", place)
		w.afterwards("rm -f %s", image)
		return nil
	}
}

// errNotHere is the error of a preparation that isn't possible on this system even for root, for example in a
// container.
var errNotHere = errors.New("not possible here")

// frozen is how long a file system is frozen, or its server is stopped.
const frozen = 16 * time.Second

// freezableDisk creates a file system for the results that can be frozen (fsfreeze(8)).
func freezableDisk(w *setup) error {
	err := ext4("")(w)
	for _, option := range []string{"-f", "-u"} {
		if err == nil {
			err = w.shell("fsfreeze %s %s", option, w.dir)
		}
	}
	if err == nil {
		err = os.Mkdir(filepath.Join(w.dir, "files"), 0o755)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errNotHere, err)
	}
	w.afterwards("fsfreeze -u %s", w.dir) // a frozen file system survives unmounting, and so does its device
	return nil
}

// frozenDisk freezes the file system of the results before the run.
func frozenDisk(w *setup) error {
	if err := freezableDisk(w); err != nil {
		return err
	}
	time.AfterFunc(frozen, func() { _ = w.shell("fsfreeze -u %s", w.dir) })
	return w.shell("fsfreeze -f %s", w.dir)
}

// freezeDisk returns a fault that freezes the file system of the results for a while, and sends the launcher a signal
// meanwhile if s isn't 0.
func freezeDisk(s syscall.Signal) func(*run) {
	return func(r *run) {
		_ = exec.Command("fsfreeze", "-f", r.dir).Run()
		if s != 0 {
			time.Sleep(time.Second)
			r.signal(launcher, s)
		}
		time.Sleep(frozen)
		_ = exec.Command("fsfreeze", "-u", r.dir).Run()
	}
}

// fillDisk returns a fault that fills a file system in the middle of the run, at once, because a run on a fast disk may
// end after two seconds.
func fillDisk(at string) func(*run) {
	return func(r *run) {
		f, err := os.OpenFile(filepath.Join(r.dir, at, "other"), os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return
		}
		defer f.Close()
		size, _ := f.Seek(0, io.SeekEnd) // the size at an earlier call
		if size == 0 {
			r.clean = append(r.clean, f.Name())
		}
		for step := int64(1) << 40; step >= 1<<12; {
			if err := syscall.Fallocate(int(f.Fd()), 0, size, step); err == nil {
				size += step
			} else {
				step /= 2
			}
		}
	}
}

// makeReadOnly makes the file system of the files read-only, as its driver does after an error of the disk.
func makeReadOnly(r *run) {
	_ = exec.Command("mount", "-o", "remount,abort", filepath.Join(r.dir, "files")).Run()
}

// wrapInClock starts the run under shim/clock.c, so that jumpClock can change the wall clock of its processes.
func wrapInClock(w *setup) error {
	w.wrapper = []string{filepath.Join(filepath.Dir(w.dir), "clock"), filepath.Join(w.dir, "offset")}
	return nil
}

// jumpClock sets the wall clock an hour ahead, and then a day back, and ends the run.
func jumpClock(r *run) {
	r.hit = time.Now()
	for _, seconds := range []int{3600, -86400} {
		_ = os.WriteFile(filepath.Join(r.dir, "offset"), []byte(strconv.Itoa(seconds)), 0o644)
		time.Sleep(2 * time.Second)
	}
	r.stop()
}

// mooseFS puts the files onto a distributed file system, whose servers are in a network namespace.
func mooseFS(w *setup) error {
	script, state := filepath.Join(w.dir, "..", "moosefs"), w.dir+"-servers"
	if err := os.WriteFile(script, moosefs, 0o755); err != nil {
		return err
	}
	files := filepath.Join(w.dir, "files")
	w.afterwards("%s down %s %s %s", script, namespace(w.dir), state, files)
	return w.shell("timeout 100 %s up %s %s %s", script, namespace(w.dir), state, files)
}

// namespace returns a short name that no other run has.
func namespace(dir string) string {
	return fmt.Sprintf("bf%d%s", os.Getpid()%10000, strings.TrimPrefix(filepath.Base(dir), "run"))
}

// cutServers cuts the link to the storage servers.
func cutServers(r *run) {
	_ = exec.Command("ip", "-n", namespace(r.dir), "link", "set", "eth0", "down").Run()
}

// twoNodes puts the two processes on two nodes, which are network namespaces with different host names and a link
// between them. They can only communicate by TCP, so the library must be Open MPI, which has an option for that.
func twoNodes(w *setup) error {
	name, hosts := namespace(w.dir), filepath.Join(w.dir, "hosts")
	if err := os.WriteFile(hosts, []byte("127.0.0.1 localhost\n10.77.0.1 node1\n10.77.0.2 node2\n"),
		0o644); err != nil {
		return err
	}
	for _, node := range []string{"node1", "node2"} {
		w.undo = append(w.undo, func() {
			pids, _ := exec.Command("ip", "netns", "pids", name+node).Output()
			for _, pid := range strings.Fields(string(pids)) {
				_ = w.shell("kill -9 %s", pid)
			}
			_ = w.shell("ip netns del %s", name+node)
		})
		if err := w.shell("ip netns add %s", name+node); err != nil {
			return err
		}
	}
	lines := []string{"ip link add eth0 netns NAMEnode1 type veth peer name eth0 netns NAMEnode2"}
	for i, node := range []string{"node1", "node2"} {
		in := "ip -n NAME" + node
		lines = append(lines, in+" link set lo up", fmt.Sprintf("%s addr add 10.77.0.%d/24 dev eth0", in, i+1),
			in+" link set eth0 up")
	}
	for _, line := range lines {
		if err := w.shell("%s", strings.ReplaceAll(line, "NAME", name)); err != nil {
			return err
		}
	}
	agent := filepath.Join(w.dir, "agent")
	script := fmt.Sprintf("#!/bin/sh\nnode=$1; shift\nexec ip netns exec %s$node unshare --uts --mount sh -c "+
		"'mount --bind %s /etc/hosts; hostname $0; eval \"$*\"' $node \"$@\"\n", name, hosts)
	if err := os.WriteFile(agent, []byte(script), 0o755); err != nil {
		return err
	}
	w.wrapper = []string{"ip", "netns", "exec", name + "node1", "unshare", "--uts", "--mount", "sh", "-c",
		"mount --bind " + hosts + ` /etc/hosts; hostname node1; exec "$@"`, "sh"}
	w.engine.launcher = []string{"mpirun.openmpi", "--host", "node1:1,node2:1", "-n", "2", "--map-by", "node",
		"--bind-to", "none", "--mca", "plm_rsh_agent", agent, "--mca", "btl", "tcp,self", "--mca", "pml", "ob1",
		"--mca", "btl_tcp_if_include", "10.77.0.0/24", "--mca", "oob_tcp_if_include", "10.77.0.0/24"}
	return nil
}

// cutLink cuts the link between the nodes.
func cutLink(r *run) {
	r.hit = time.Now()
	_ = exec.Command("ip", "-n", namespace(r.dir)+"node1", "link", "set", "eth0", "down").Run()
}

// slowLink reduces the link to 20 Mbit/s, and ends the run after some seconds.
func slowLink(r *run) {
	r.hit = time.Now()
	_ = exec.Command("tc", "-n", namespace(r.dir)+"node1", "qdisc", "add", "dev", "eth0", "root", "tbf",
		"rate", "20mbit", "burst", "16kb", "latency", "500ms").Run()
	time.Sleep(8 * time.Second)
	r.stop()
}

// secondRun starts a second run with the same output. Its lines are recorded with the first run's.
func secondRun(r *run) {
	r.hit = time.Now()
	c := exec.Command(*binary, "run", "-n", "2", "--quick", "--memory", "4MiB", "-o", "r", "--force")
	c.Dir, c.Stderr = r.dir, &r.lines
	_ = c.Run()
	r.stop()
}
