package main

import (
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// fault is a row of the table of faults.
type fault struct {
	name    string
	phase   string
	engines []string           // nil: all
	flags   []string           // additional flags
	env     []string           // for the shim
	wrapper []string           // words before the launcher
	inner   []string           // words before each process
	prepare func(*setup) error // called before the run (nil: nothing)
	needs   string             // a program of the system; faults without it are left out with a line
	after   time.Duration
	do      func(*run) // called while the run measures (nil: the fault exists from the beginning)
	most    time.Duration
	// harmless means that a run may end well without a message. mute means that no process is left to print a message.
	harmless, mute bool
	quick          bool
}

// ioLine is the command line of runs of b_eff_io.
var ioLine = []string{"io", "-T", "20s", "--partitions", "2", "--memory", "128MiB", "--max-bytes", "512MiB", "-p",
	"files", "--patience", "2s", "-o", "r"}

// shortLine is the command line of runs for which the campaign waits for a phase.
var shortLine = slices.Concat(ioLine[:2], []string{"10s"}, ioLine[3:])

// phases are the command lines of the runs.
var phases = map[string][]string{
	"run": {"run", "--passes", "1", "--memory", "4MiB", "--patience", "2s", "-o", "r"},
	"io":  ioLine,
	"files": {"probe", "S_Write_Expl", "S_Read_Expl", "C_Write_Indv", "C_Read_Indv", "P_Write_Priv", "P_Read_Priv",
		"--sample-time", "5s", "-p", "files", "--patience", "2s", "-o", "r"},
	"metadata": {"probe", "File_create", "File_stat", "File_read", "File_remove", "--msgsize", "3901", "--passes",
		"1000", "--option", "items=500", "--option", "shift=1", "-p", "files", "--patience", "2s", "-o", "r"},
	"write":   shortLine,
	"rewrite": shortLine,
	"read":    shortLine,
	"init":    {"run", "--passes", "1", "--memory", "4MiB", "--patience", "2s", "-o", "r"},
	"start":   {"run", "--passes", "1", "--memory", "4MiB", "--patience", "2s", "-o", "r"},
	"probe": {"probe", "PingPong", "Allreduce", "Alltoall", "Exchange", "Allgather", "Bcast", "--sample-time", "5s",
		"--patience", "2s", "-o", "r"},
}

var overMPI = []string{"Open MPI", "MPICH"}

// shimmed returns the variables for a fault in a file call of rank 1.
func shimmed(call, at, what string) []string {
	return []string{"FAULT_RANK=1", "FAULT_CALL=" + call, "FAULT_AT=" + at, "FAULT_DO=" + what}
}

func sends(rank int, s syscall.Signal) func(*run) { return func(r *run) { r.signal(rank, s) } }

// others sends rank 1 all signals that end no run, one after the other.
func others(r *run) {
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE, syscall.SIGALRM,
		syscall.SIGCHLD, syscall.SIGWINCH} {
		r.signal(1, s)
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(time.Second)
	r.stop()
}

// sleeps stops all ranks for a while, as a laptop or a batch system does, and ends the run afterwards.
func sleeps(r *run) {
	r.hit = time.Now()
	for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		for _, p := range r.processes() {
			_ = syscall.Kill(p.pid, s)
		}
		time.Sleep(6 * time.Second)
	}
	r.stop()
}

// stops stops a rank until the end.
func stops(rank int) func(*run) { return sends(rank, syscall.SIGSTOP) }

var limit = []string{"--hang-limit", "6s"}

// faults is the table.
var faults = []fault{
	{name: "SIGKILL of rank 0", phase: "run", engines: overMPI, do: sends(0, syscall.SIGKILL), mute: true, quick: true},
	{name: "SIGKILL of rank 1", phase: "run", engines: overMPI, do: sends(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "run", do: sends(-1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 0", phase: "io", engines: overMPI, do: sends(0, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 0", phase: "probe", engines: overMPI, do: sends(0, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 1", phase: "io", engines: overMPI, do: sends(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 1", phase: "probe", engines: overMPI, do: sends(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "io", do: sends(-1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "probe", do: sends(-1, syscall.SIGKILL), mute: true},
	{name: "SIGTERM", phase: "run", do: sends(-1, syscall.SIGTERM), quick: true},
	{name: "SIGTERM", phase: "io", do: sends(-1, syscall.SIGTERM)},
	{name: "SIGTERM", phase: "probe", do: sends(-1, syscall.SIGTERM)},
	{name: "SIGKILL of rank 0", phase: "write", engines: overMPI, do: sends(0, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 1", phase: "write", engines: overMPI, do: sends(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "write", do: sends(-1, syscall.SIGKILL), mute: true},
	{name: "SIGTERM", phase: "start", do: sends(-1, syscall.SIGTERM)},
	{name: "SIGTERM", phase: "write", do: sends(-1, syscall.SIGTERM)},
	{name: "SIGINT", phase: "run", do: sends(-1, syscall.SIGINT)},
	{name: "SIGINT", phase: "io", do: sends(-1, syscall.SIGINT)},
	{name: "SIGINT", phase: "probe", do: sends(-1, syscall.SIGINT)},
	{name: "SIGHUP", phase: "run", engines: []string{"embedded", "Open MPI"}, do: sends(-1, syscall.SIGHUP)},
	{name: "SIGHUP", phase: "run", engines: overMPI[1:], do: sends(-1, syscall.SIGHUP), mute: true},
	{name: "SIGHUP", phase: "io", engines: []string{"embedded", "Open MPI"}, do: sends(-1, syscall.SIGHUP)},
	{name: "SIGHUP", phase: "io", engines: overMPI[1:], do: sends(-1, syscall.SIGHUP), mute: true},
	{name: "SIGHUP", phase: "probe", engines: []string{"embedded", "Open MPI"}, do: sends(-1, syscall.SIGHUP)},
	{name: "SIGHUP", phase: "probe", engines: overMPI[1:], do: sends(-1, syscall.SIGHUP), mute: true},
	{name: "SIGQUIT", phase: "run", engines: []string{"embedded", "MPICH"}, do: sends(-1, syscall.SIGQUIT)},
	{name: "SIGQUIT", phase: "run", engines: overMPI[:1], do: sends(-1, syscall.SIGQUIT), mute: true},
	{name: "SIGQUIT", phase: "io", engines: []string{"embedded", "MPICH"}, do: sends(-1, syscall.SIGQUIT)},
	{name: "SIGQUIT", phase: "io", engines: overMPI[:1], do: sends(-1, syscall.SIGQUIT), mute: true},
	{name: "SIGQUIT", phase: "probe", engines: []string{"embedded", "MPICH"}, do: sends(-1, syscall.SIGQUIT)},
	{name: "SIGQUIT", phase: "probe", engines: overMPI[:1], do: sends(-1, syscall.SIGQUIT), mute: true},
	{name: "SIGTERM of rank 1", phase: "run", engines: overMPI, do: sends(1, syscall.SIGTERM)},
	{name: "SIGSEGV of a rank", phase: "run", do: sends(1, syscall.SIGSEGV)},
	{name: "SIGABRT of a rank", phase: "run", do: sends(1, syscall.SIGABRT)},
	{name: "SIGBUS of a rank", phase: "run", do: sends(1, syscall.SIGBUS)},
	{name: "SIGFPE of a rank", phase: "io", do: sends(1, syscall.SIGFPE)},
	{name: "SIGILL of a rank", phase: "io", do: sends(1, syscall.SIGILL)},
	{name: "SIGTRAP of a rank", phase: "probe", do: sends(1, syscall.SIGTRAP)},
	{name: "SIGSYS of a rank", phase: "probe", do: sends(1, syscall.SIGSYS)},
	{name: "SIGXCPU of a rank", phase: "run", do: sends(1, syscall.SIGXCPU)},
	{name: "SIGSTOP of all ranks for 6 s", phase: "run", do: sleeps},
	{name: "SIGSTOP of all ranks for 6 s", phase: "io", do: sleeps},
	{name: "SIGSTOP of all ranks for 6 s", phase: "probe", do: sleeps},
	{name: "SIGUSR1, USR2, PIPE, ALRM, CHLD, WINCH of rank 1", phase: "run", engines: overMPI, do: others},
	{name: "SIGUSR1 of rank 1", phase: "run", engines: overMPI, most: 8 * time.Second, do: sends(1, syscall.SIGUSR1)},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "run", engines: overMPI, flags: limit, do: stops(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "run", engines: overMPI, flags: limit, do: stops(1), quick: true},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "io", engines: overMPI, flags: limit, do: stops(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "io", engines: overMPI, flags: limit, do: stops(1)},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "write", engines: overMPI, flags: limit, do: stops(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "write", engines: overMPI, flags: limit, do: stops(1)},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "probe", engines: overMPI, flags: limit, do: stops(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "probe", engines: overMPI, flags: limit, do: stops(1)},
	{name: "a write that doesn't return, --hang-limit", phase: "io", engines: overMPI, flags: limit,
		env: shimmed("write", "600", "hang")},
	{name: "a write that doesn't return, --wall 15s", phase: "io", engines: overMPI,
		flags: []string{"--wall", "15s", "--patience", "0"}, env: shimmed("write", "600", "hang")},
	{name: "EIO of one write", phase: "write", engines: overMPI, env: shimmed("write", "20", "EIO")},
	{name: "EIO of one write", phase: "io", engines: overMPI[:1], env: shimmed("write", "20000", "EIO")},
	{name: "EIO of one write", phase: "io", engines: overMPI[1:], env: shimmed("write", "600", "EIO")},
	{name: "EIO of one read", phase: "write", engines: overMPI, env: shimmed("read", "20", "EIO")},
	{name: "ENOSPC of one write", phase: "write", engines: overMPI, env: shimmed("write", "20", "ENOSPC")},
	{name: "EDQUOT of one write", phase: "write", engines: overMPI, env: shimmed("write", "20", "EDQUOT")},
	{name: "EROFS of one write", phase: "write", engines: overMPI, env: shimmed("write", "20", "EROFS")},
	{name: "EIO of fsync", phase: "write", engines: overMPI, env: shimmed("fsync", "2", "EIO"), harmless: true},
	{name: "half of one write", phase: "write", engines: overMPI, env: shimmed("write", "20", "short"), harmless: true},
	{name: "a flipped bit of one write, --verify full", phase: "write", engines: overMPI,
		flags: []string{"--verify", "full"},
		env:   append(shimmed("write", "5", "flip"), "FAULT_FILE=data_2_separated.1")},
	{name: "a flipped bit of one read, --verify full", phase: "write", engines: overMPI,
		flags: []string{"--verify", "full"}, env: shimmed("read", "20", "flip")},
	{name: "a flipped bit of a message", phase: "run", engines: overMPI, env: shimmed("message", "2000", "flip"),
		quick: true},
	{name: "the files vanish", phase: "io", harmless: true, do: func(r *run) {
		_ = os.RemoveAll(filepath.Join(r.dir, "files"))
	}},
	{name: "bytes of all files change", phase: "io", do: spoil},
	{name: "the result's directory vanishes", phase: "run", do: func(r *run) {
		_ = os.Rename(r.dir, r.dir+"-gone")
		time.Sleep(12 * time.Second)
		_ = os.Rename(r.dir+"-gone", r.dir)
		r.signal(-1, syscall.SIGTERM)
	}},
	{name: "64 kB for the results", phase: "run", prepare: disk("", "size=64k"), quick: true},
	{name: "the results' disk fills up", phase: "run", prepare: disk("", "size=4m"), do: func(r *run) {
		fills("")(r)
		time.Sleep(2 * time.Second)
		r.signal(-1, syscall.SIGTERM)
	}},
	{name: "the files' disk fills up", phase: "io", prepare: disk("files", "size=800m"), do: fills("files"),
		quick: true},
	{name: "the results' disk is read-only", phase: "run", prepare: disk("", "ro")},
	{name: "the files' disk is read-only", phase: "io", prepare: disk("files", "ro,size=800m")},
	{name: "the files' disk becomes read-only (ext4, abort)", phase: "io", prepare: loop("files"), do: readOnly},
	{name: "the results' file system stops (ext4, fsfreeze), --hang-limit", phase: "run",
		engines: []string{"embedded"}, flags: limit, prepare: freezable, needs: "fsfreeze", do: freezes(0),
		quick: true},
	{name: "the results' file system stops (ext4, fsfreeze), --hang-limit", phase: "run", engines: overMPI,
		flags: limit, prepare: freezable, needs: "fsfreeze", do: freezes(0)},
	{name: "the results' file system stops (ext4, fsfreeze), SIGTERM", phase: "run", prepare: freezable,
		needs: "fsfreeze", do: freezes(syscall.SIGTERM)},
	{name: "the results' file system has stopped (ext4, fsfreeze), --hang-limit", phase: "run", flags: limit,
		prepare: freezesBefore, needs: "fsfreeze"},
	{name: "SIGSEGV of a rank", phase: "init", after: 300 * time.Millisecond, do: sends(1, syscall.SIGSEGV),
		quick: true},
	{name: "SIGTERM of a rank", phase: "init", after: 300 * time.Millisecond, do: sends(1, syscall.SIGTERM)},
	{name: "SIGSEGV of a rank that has just begun", phase: "init", do: sends(1, syscall.SIGSEGV)},
	{name: "a second run with the same -o", phase: "run", do: again, quick: true},
	{name: "the wall clock jumps by an hour and back by a day", phase: "probe", prepare: clocked, do: jump,
		harmless: true},
	{name: "the wall clock jumps by an hour and back by a day", phase: "run", prepare: clocked, do: jump,
		harmless: true},
	{name: "the wall clock jumps by an hour and back by a day", phase: "io", prepare: clocked, do: jump,
		harmless: true},
	{name: "the link between two nodes is slow, 20 Mbit/s", phase: "run", engines: overMPI[:1], prepare: nodes,
		do: linkSlow},
	{name: "the link between two nodes goes down, --hang-limit", phase: "run", engines: overMPI[:1], flags: limit,
		prepare: nodes, do: linkDown, most: 30 * time.Second},
	{name: "the link between two nodes goes down, --hang-limit", phase: "io", engines: overMPI[:1], flags: limit,
		prepare: nodes, do: linkDown, most: 30 * time.Second},
	{name: "the link between two nodes goes down, --hang-limit", phase: "probe", engines: overMPI[:1], flags: limit,
		prepare: nodes, do: linkDown, most: 30 * time.Second},
	// The first fsync may take 6 s even if all servers are alive.
	{name: "the servers of MooseFS die, --hang-limit", phase: "io",
		flags: []string{"--patience", "5s", "--hang-limit", "20s"}, prepare: stored, needs: "mfsmaster", do: serversDie,
		most: time.Minute},
	{name: "12 descriptors", phase: "run", inner: shell("ulimit -n 12"), quick: true},
	{name: "too little memory asked for", phase: "run", flags: []string{"--memory", "1"}, quick: true},
	{name: "-o exists", phase: "run", wrapper: shell("echo 1 > r.json"), quick: true},
	{name: "no directory for the files", phase: "io", flags: []string{"-p", "nowhere"}, quick: true},
}

// shell returns words that run a shell command and then the following words.
func shell(command string) []string { return []string{"sh", "-c", command + `; exec "$@"`, "sh"} }

// spoil changes bytes of all files again and again, until the run ends.
func spoil(r *run) {
	for begin := time.Now(); time.Since(begin) < 40*time.Second; time.Sleep(200 * time.Millisecond) {
		names, _ := filepath.Glob(filepath.Join(r.dir, "files", "*", "data*"))
		for _, name := range names {
			if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
				for at := int64(0); at < 64<<20; at += 1 << 18 {
					_, _ = f.WriteAt([]byte{0x55}, at)
				}
				_ = f.Close()
			}
		}
		select {
		case <-r.ended:
			return
		default:
		}
	}
}
