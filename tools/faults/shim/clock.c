// clock FILE CMD ARGS… runs a command, and makes the wall clock (CLOCK_REALTIME) of all its processes jump. FILE
// contains the seconds to add to the clock. While it doesn't exist, none are added. The program is for x86-64.
//
// Programs usually read the clock without a system call, by functions that the kernel maps into their memory (vDSO). So
// clock hides these functions from each new program, by removing their entry from the auxiliary vector. A seccomp
// filter then stops only the system calls that read the wall clock, and clock, which traces the processes, answers
// them. Readings of other clocks become system calls, too, but aren't stopped.
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define UNLESS(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skip)
#define RETURN(what) BPF_STMT(BPF_RET | BPF_K, what)

// install_filter makes this process and its children stop at each system call that reads the wall clock.
static void install_filter(void) {
	struct sock_filter code[] = {
		LOAD(nr), UNLESS(SYS_gettimeofday, 1), RETURN(SECCOMP_RET_TRACE),
		UNLESS(SYS_clock_gettime, 3), LOAD(args[0]), UNLESS(CLOCK_REALTIME, 1), RETURN(SECCOMP_RET_TRACE),
		RETURN(SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof code / sizeof *code, code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)) {
		perror("clock: seccomp");
		_exit(1);
	}
}

// peek returns a word of a process's memory. It returns 0, at which hide_vdso stops, if the word can't be read.
static long peek(pid_t pid, unsigned long at) {
	errno = 0;
	long word = ptrace(PTRACE_PEEKDATA, pid, at, 0);
	return errno ? 0 : word;
}

// hide_vdso removes the vDSO from the auxiliary vector of a process that has just become another program. The process's
// stack has the number of arguments, the arguments and 0, the environment and 0, and the vector (System V ABI for
// x86-64, 3.4.1).
static void hide_vdso(pid_t pid) {
	struct user_regs_struct r;
	if (ptrace(PTRACE_GETREGS, pid, 0, &r)) return;
	unsigned long at = r.rsp;
	at += 8 * (2 + peek(pid, at));
	while (peek(pid, at)) at += 8;
	long type;
	for (at += 8; (type = peek(pid, at)) != AT_NULL; at += 16)
		if (type == AT_SYSINFO_EHDR) ptrace(PTRACE_POKEDATA, pid, at, AT_IGNORE);
}

// read_offset returns the seconds in a file, or 0 if there are none.
static long read_offset(const char *name) {
	long seconds = 0;
	FILE *f = fopen(name, "r");
	if (!f) return 0;
	if (fscanf(f, "%ld", &seconds) != 1) seconds = 0;
	fclose(f);
	return seconds;
}

// answer_call makes a call that reads the wall clock return a time that is `seconds` ahead: it writes the result into
// the process's memory and skips the call.
static void answer_call(pid_t pid, long seconds) {
	struct user_regs_struct r;
	struct timespec now;
	if (seconds == 0 || ptrace(PTRACE_GETREGS, pid, 0, &r)) return;
	clock_gettime(CLOCK_REALTIME, &now);
	int in_microseconds = r.orig_rax == SYS_gettimeofday;
	unsigned long result = in_microseconds ? r.rdi : r.rsi;
	if (result) {
		ptrace(PTRACE_POKEDATA, pid, result, now.tv_sec + seconds);
		ptrace(PTRACE_POKEDATA, pid, result + 8, in_microseconds ? now.tv_nsec / 1000 : now.tv_nsec);
	}
	r.orig_rax = -1;
	r.rax = 0;
	ptrace(PTRACE_SETREGS, pid, 0, &r);
}

static pid_t child;

static void forward(int s) { kill(child, s); }

int main(int argc, char **argv) {
	const long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
		PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL;
	if (argc < 3) return 2;
	child = fork();
	if (child == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		raise(SIGSTOP);
		install_filter();
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	signal(SIGTERM, forward);
	int status, code = 1;
	if (waitpid(child, &status, 0) < 0 || ptrace(PTRACE_SETOPTIONS, child, 0, options)) return 1;
	ptrace(PTRACE_CONT, child, 0, 0);
	pid_t pid;
	while ((pid = waitpid(-1, &status, __WALL)) > 0 || errno == EINTR) {
		if (pid < 0) continue;
		if (!WIFSTOPPED(status)) {
			if (pid == child) code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
			continue;
		}
		int signal = WSTOPSIG(status), event = status >> 16;
		if (event == PTRACE_EVENT_EXEC) hide_vdso(pid);
		if (event == PTRACE_EVENT_SECCOMP) answer_call(pid, read_offset(argv[1]));
		if (event || signal == SIGTRAP || signal == SIGSTOP) signal = 0; // the tracer's; a new process stops once
		ptrace(PTRACE_CONT, pid, 0, signal);
	}
	return code;
}
