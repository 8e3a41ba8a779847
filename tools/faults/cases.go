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
	name           string
	phase          string             // key in phases: what runs, and when the fault is injected
	engines        []string           // nil: all
	flags          []string           // additional flags of beff
	env            []string           // for the shim
	beforeLauncher []string           // words before the launcher
	beforeProcess  []string           // words before each process
	prepare        func(*setup) error // called before the run (nil: nothing)
	needs          string             // a program of the system; the campaign skips the fault without it
	inject         func(*run)         // called while the run measures (nil: the fault exists from the beginning)
	delay          time.Duration      // from the beginning of the phase to the fault
	maxTime        time.Duration      // of the run after the fault; 0 means one minute
	harmless       bool               // the run may end well without a message
	mute           bool               // no process is left to print a message
	quick          bool               // one of the faults that -quick injects
}

// launcher is the rank that stands for the launcher in sendSignal and run.signal.
const launcher = -1

// ioLine is the command line of runs of b_eff_io.
var ioLine = []string{"io", "-T", "20s", "--partitions", "2", "--memory", "128MiB", "--max-bytes", "512MiB", "-p",
	"files", "--patience", "2s", "-o", "r"}

// shortLine is the command line of shorter runs of b_eff_io, for faults in the phases write, rewrite and read.
var shortLine = slices.Concat(ioLine[:2], []string{"10s"}, ioLine[3:])

// phases has the command line of beff for each phase. run.awaitPhase waits until a phase begins.
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

// shimEnv returns the variables with which shim/fault.c injects a fault into rank 1. call is a kind of call ("write",
// "read", "fsync" or "message"), at the call's number among these, from 1, and what the fault, such as EIO or hang.
func shimEnv(call, at, what string) []string {
	return []string{"FAULT_RANK=1", "FAULT_CALL=" + call, "FAULT_AT=" + at, "FAULT_DO=" + what}
}

// sendSignal returns a fault that sends a signal to a rank, or to the launcher.
func sendSignal(rank int, s syscall.Signal) func(*run) { return func(r *run) { r.signal(rank, s) } }

// sendIgnoredSignals sends rank 1 the signals that don't end a run, one after the other. Then it ends the run.
func sendIgnoredSignals(r *run) {
	for _, s := range []syscall.Signal{syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGPIPE, syscall.SIGALRM,
		syscall.SIGCHLD, syscall.SIGWINCH} {
		r.signal(1, s)
		time.Sleep(200 * time.Millisecond)
	}
	time.Sleep(time.Second)
	r.stop()
}

// stopAllRanks stops all ranks for 6 s, as a laptop or a batch system does. 6 s later it ends the run.
func stopAllRanks(r *run) {
	r.hit = time.Now()
	for _, s := range []syscall.Signal{syscall.SIGSTOP, syscall.SIGCONT} {
		for _, p := range r.processes() {
			_ = syscall.Kill(p.pid, s)
		}
		time.Sleep(6 * time.Second)
	}
	r.stop()
}

// stopRank returns a fault that stops a rank until the end.
func stopRank(rank int) func(*run) { return sendSignal(rank, syscall.SIGSTOP) }

// hangLimit has the flags for faults that make a process hang.
var hangLimit = []string{"--hang-limit", "6s"}

// faults is the table.
var faults = []fault{
	{name: "SIGKILL of rank 0", phase: "run", engines: overMPI, inject: sendSignal(0, syscall.SIGKILL), mute: true,
		quick: true},
	{name: "SIGKILL of rank 1", phase: "run", engines: overMPI, inject: sendSignal(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "run", inject: sendSignal(launcher, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 0", phase: "io", engines: overMPI, inject: sendSignal(0, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 0", phase: "probe", engines: overMPI, inject: sendSignal(0, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 1", phase: "io", engines: overMPI, inject: sendSignal(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 1", phase: "probe", engines: overMPI, inject: sendSignal(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "io", inject: sendSignal(launcher, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "probe", inject: sendSignal(launcher, syscall.SIGKILL), mute: true},
	{name: "SIGTERM", phase: "run", inject: sendSignal(launcher, syscall.SIGTERM), quick: true},
	{name: "SIGTERM", phase: "io", inject: sendSignal(launcher, syscall.SIGTERM)},
	{name: "SIGTERM", phase: "probe", inject: sendSignal(launcher, syscall.SIGTERM)},
	{name: "SIGKILL of rank 0", phase: "write", engines: overMPI, inject: sendSignal(0, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of rank 1", phase: "write", engines: overMPI, inject: sendSignal(1, syscall.SIGKILL), mute: true},
	{name: "SIGKILL of the launcher", phase: "write", inject: sendSignal(launcher, syscall.SIGKILL), mute: true},
	{name: "SIGTERM", phase: "start", inject: sendSignal(launcher, syscall.SIGTERM)},
	{name: "SIGTERM", phase: "write", inject: sendSignal(launcher, syscall.SIGTERM)},
	{name: "SIGINT", phase: "run", inject: sendSignal(launcher, syscall.SIGINT)},
	{name: "SIGINT", phase: "io", inject: sendSignal(launcher, syscall.SIGINT)},
	{name: "SIGINT", phase: "probe", inject: sendSignal(launcher, syscall.SIGINT)},
	{name: "SIGHUP", phase: "run", engines: []string{"embedded", "Open MPI"},
		inject: sendSignal(launcher, syscall.SIGHUP)},
	{name: "SIGHUP", phase: "run", engines: overMPI[1:], inject: sendSignal(launcher, syscall.SIGHUP), mute: true},
	{name: "SIGHUP", phase: "io", engines: []string{"embedded", "Open MPI"},
		inject: sendSignal(launcher, syscall.SIGHUP)},
	{name: "SIGHUP", phase: "io", engines: overMPI[1:], inject: sendSignal(launcher, syscall.SIGHUP), mute: true},
	{name: "SIGHUP", phase: "probe", engines: []string{"embedded", "Open MPI"},
		inject: sendSignal(launcher, syscall.SIGHUP)},
	{name: "SIGHUP", phase: "probe", engines: overMPI[1:], inject: sendSignal(launcher, syscall.SIGHUP), mute: true},
	{name: "SIGQUIT", phase: "run", engines: []string{"embedded", "MPICH"},
		inject: sendSignal(launcher, syscall.SIGQUIT)},
	{name: "SIGQUIT", phase: "run", engines: overMPI[:1], inject: sendSignal(launcher, syscall.SIGQUIT), mute: true},
	{name: "SIGQUIT", phase: "io", engines: []string{"embedded", "MPICH"},
		inject: sendSignal(launcher, syscall.SIGQUIT)},
	{name: "SIGQUIT", phase: "io", engines: overMPI[:1], inject: sendSignal(launcher, syscall.SIGQUIT), mute: true},
	{name: "SIGQUIT", phase: "probe", engines: []string{"embedded", "MPICH"},
		inject: sendSignal(launcher, syscall.SIGQUIT)},
	{name: "SIGQUIT", phase: "probe", engines: overMPI[:1], inject: sendSignal(launcher, syscall.SIGQUIT), mute: true},
	{name: "SIGTERM of rank 1", phase: "run", engines: overMPI, inject: sendSignal(1, syscall.SIGTERM)},
	{name: "SIGSEGV of a rank", phase: "run", inject: sendSignal(1, syscall.SIGSEGV)},
	{name: "SIGABRT of a rank", phase: "run", inject: sendSignal(1, syscall.SIGABRT)},
	{name: "SIGBUS of a rank", phase: "run", inject: sendSignal(1, syscall.SIGBUS)},
	{name: "SIGFPE of a rank", phase: "io", inject: sendSignal(1, syscall.SIGFPE)},
	{name: "SIGILL of a rank", phase: "io", inject: sendSignal(1, syscall.SIGILL)},
	{name: "SIGTRAP of a rank", phase: "probe", inject: sendSignal(1, syscall.SIGTRAP)},
	{name: "SIGSYS of a rank", phase: "probe", inject: sendSignal(1, syscall.SIGSYS)},
	{name: "SIGXCPU of a rank", phase: "run", inject: sendSignal(1, syscall.SIGXCPU)},
	{name: "SIGSTOP of all ranks for 6 s", phase: "run", inject: stopAllRanks},
	{name: "SIGSTOP of all ranks for 6 s", phase: "io", inject: stopAllRanks},
	{name: "SIGSTOP of all ranks for 6 s", phase: "probe", inject: stopAllRanks},
	{name: "SIGUSR1, USR2, PIPE, ALRM, CHLD, WINCH of rank 1", phase: "run", engines: overMPI,
		inject: sendIgnoredSignals},
	{name: "SIGUSR1 of rank 1", phase: "run", engines: overMPI, maxTime: 8 * time.Second,
		inject: sendSignal(1, syscall.SIGUSR1)},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "run", engines: overMPI, flags: hangLimit, inject: stopRank(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "run", engines: overMPI, flags: hangLimit, inject: stopRank(1),
		quick: true},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "io", engines: overMPI, flags: hangLimit, inject: stopRank(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "io", engines: overMPI, flags: hangLimit, inject: stopRank(1)},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "write", engines: overMPI, flags: hangLimit, inject: stopRank(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "write", engines: overMPI, flags: hangLimit, inject: stopRank(1)},
	{name: "SIGSTOP of rank 0, --hang-limit", phase: "probe", engines: overMPI, flags: hangLimit, inject: stopRank(0)},
	{name: "SIGSTOP of rank 1, --hang-limit", phase: "probe", engines: overMPI, flags: hangLimit, inject: stopRank(1)},
	{name: "a write that doesn't return, --hang-limit", phase: "io", engines: overMPI, flags: hangLimit,
		env: shimEnv("write", "600", "hang")},
	{name: "a write that doesn't return, --wall 15s", phase: "io", engines: overMPI,
		flags: []string{"--wall", "15s", "--patience", "0"}, env: shimEnv("write", "600", "hang")},
	{name: "EIO of one write", phase: "write", engines: overMPI, env: shimEnv("write", "20", "EIO")},
	{name: "EIO of one write", phase: "io", engines: overMPI[:1], env: shimEnv("write", "20000", "EIO")},
	{name: "EIO of one write", phase: "io", engines: overMPI[1:], env: shimEnv("write", "600", "EIO")},
	{name: "EIO of one read", phase: "write", engines: overMPI, env: shimEnv("read", "20", "EIO")},
	{name: "ENOSPC of one write", phase: "write", engines: overMPI, env: shimEnv("write", "20", "ENOSPC")},
	{name: "EDQUOT of one write", phase: "write", engines: overMPI, env: shimEnv("write", "20", "EDQUOT")},
	{name: "EROFS of one write", phase: "write", engines: overMPI, env: shimEnv("write", "20", "EROFS")},
	{name: "EIO of fsync", phase: "write", engines: overMPI, env: shimEnv("fsync", "2", "EIO"), harmless: true},
	{name: "half of one write", phase: "write", engines: overMPI, env: shimEnv("write", "20", "short"), harmless: true},
	{name: "a flipped bit of one write, --verify full", phase: "write", engines: overMPI,
		flags: []string{"--verify", "full"},
		env:   append(shimEnv("write", "5", "flip"), "FAULT_FILE=data_2_separated.1")},
	{name: "a flipped bit of one read, --verify full", phase: "write", engines: overMPI,
		flags: []string{"--verify", "full"}, env: shimEnv("read", "20", "flip")},
	{name: "a flipped bit of a message", phase: "run", engines: overMPI, env: shimEnv("message", "2000", "flip"),
		quick: true},
	{name: "the files vanish", phase: "io", harmless: true, inject: func(r *run) {
		_ = os.RemoveAll(filepath.Join(r.dir, "files"))
	}},
	{name: "bytes of all files change", phase: "io", inject: spoilFiles},
	{name: "the result's directory vanishes", phase: "run", inject: func(r *run) {
		_ = os.Rename(r.dir, r.dir+"-gone")
		time.Sleep(12 * time.Second)
		_ = os.Rename(r.dir+"-gone", r.dir)
		r.signal(launcher, syscall.SIGTERM)
	}},
	{name: "64 kB for the results", phase: "run", prepare: tmpfs("", "size=64k"), quick: true},
	{name: "the results' disk fills up", phase: "run", prepare: tmpfs("", "size=4m"), inject: func(r *run) {
		fillDisk("")(r)
		time.Sleep(2 * time.Second)
		r.signal(launcher, syscall.SIGTERM)
	}},
	{name: "the files' disk fills up", phase: "io", prepare: tmpfs("files", "size=800m"), inject: fillDisk("files"),
		quick: true},
	{name: "the results' disk is read-only", phase: "run", prepare: tmpfs("", "ro")},
	{name: "the files' disk is read-only", phase: "io", prepare: tmpfs("files", "ro,size=800m")},
	{name: "the files' disk becomes read-only (ext4, abort)", phase: "io", prepare: ext4("files"),
		inject: makeReadOnly},
	{name: "the results' file system stops (ext4, fsfreeze), --hang-limit", phase: "run",
		engines: []string{"embedded"}, flags: hangLimit, prepare: freezableDisk, needs: "fsfreeze",
		inject: freezeDisk(0),
		quick:  true},
	{name: "the results' file system stops (ext4, fsfreeze), --hang-limit", phase: "run", engines: overMPI,
		flags: hangLimit, prepare: freezableDisk, needs: "fsfreeze", inject: freezeDisk(0)},
	{name: "the results' file system stops (ext4, fsfreeze), SIGTERM", phase: "run", prepare: freezableDisk,
		needs: "fsfreeze", inject: freezeDisk(syscall.SIGTERM)},
	{name: "the results' file system has stopped (ext4, fsfreeze), --hang-limit", phase: "run", flags: hangLimit,
		prepare: frozenDisk, needs: "fsfreeze"},
	{name: "SIGSEGV of a rank", phase: "init", delay: 300 * time.Millisecond, inject: sendSignal(1, syscall.SIGSEGV),
		quick: true},
	{name: "SIGTERM of a rank", phase: "init", delay: 300 * time.Millisecond, inject: sendSignal(1, syscall.SIGTERM)},
	{name: "SIGSEGV of a rank that has just begun", phase: "init", inject: sendSignal(1, syscall.SIGSEGV)},
	{name: "a second run with the same -o", phase: "run", inject: secondRun, quick: true},
	{name: "the wall clock jumps by an hour and back by a day", phase: "probe", prepare: wrapInClock, inject: jumpClock,
		harmless: true},
	{name: "the wall clock jumps by an hour and back by a day", phase: "run", prepare: wrapInClock, inject: jumpClock,
		harmless: true},
	{name: "the wall clock jumps by an hour and back by a day", phase: "io", prepare: wrapInClock, inject: jumpClock,
		harmless: true},
	{name: "the link between two nodes is slow, 20 Mbit/s", phase: "run", engines: overMPI[:1], prepare: twoNodes,
		inject: slowLink},
	{name: "the link between two nodes goes down, --hang-limit", phase: "run", engines: overMPI[:1], flags: hangLimit,
		prepare: twoNodes, inject: cutLink, maxTime: 30 * time.Second},
	{name: "the link between two nodes goes down, --hang-limit", phase: "io", engines: overMPI[:1], flags: hangLimit,
		prepare: twoNodes, inject: cutLink, maxTime: 30 * time.Second},
	{name: "the link between two nodes goes down, --hang-limit", phase: "probe", engines: overMPI[:1], flags: hangLimit,
		prepare: twoNodes, inject: cutLink, maxTime: 30 * time.Second},
	// The first fsync may take 6 s even if all servers are alive.
	{name: "the servers of MooseFS die, --hang-limit", phase: "io",
		flags: []string{"--patience", "5s", "--hang-limit", "20s"}, prepare: mooseFS, needs: "mfsmaster",
		inject:  cutServers,
		maxTime: time.Minute},
	{name: "12 descriptors", phase: "run", beforeProcess: shell("ulimit -n 12"), quick: true},
	{name: "too little memory asked for", phase: "run", flags: []string{"--memory", "1"}, quick: true},
	{name: "-o exists", phase: "run", beforeLauncher: shell("echo 1 > r.json"), quick: true},
	{name: "no directory for the files", phase: "io", flags: []string{"-p", "nowhere"}, quick: true},
}

// shell returns words that run a shell command and then the following words.
func shell(command string) []string { return []string{"sh", "-c", command + `; exec "$@"`, "sh"} }

// spoilFiles changes bytes of all files again and again, until the run ends.
func spoilFiles(r *run) {
	untilEnd(r, 200*time.Millisecond, func() {
		names, _ := filepath.Glob(filepath.Join(r.dir, "files", "*", "data*"))
		for _, name := range names {
			if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
				for at := int64(0); at < 64<<20; at += 1 << 18 {
					_, _ = f.WriteAt([]byte{0x55}, at)
				}
				_ = f.Close()
			}
		}
	})
}
