// A program that runs another one with all of its processes, and makes their wall clock (CLOCK_REALTIME) jump: clock
// FILE CMD ARGS…. FILE has the seconds to add; without it none are added.
//
// The kernel's page of functions (vDSO) reads the clock without a system call. So the program hides that page from each
// new program, by removing its entry in the auxiliary vector. A seccomp filter then stops only the calls of that one
// clock, and the tracer answers them. Other clocks cost a system call.
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

static void filter(void) {
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

// hide removes the vDSO from the auxiliary vector of a process that has just become another program. Its stack has the
// number of arguments, the arguments and 0, the environment and 0, and the vector (System V ABI for x86-64, 3.4.1).
static void hide(pid_t pid) {
	struct user_regs_struct r;
	if (ptrace(PTRACE_GETREGS, pid, 0, &r)) return;
	unsigned long at = r.rsp;
	at += 8 * (2 + ptrace(PTRACE_PEEKDATA, pid, at, 0));
	while (ptrace(PTRACE_PEEKDATA, pid, at, 0)) at += 8;
	for (at += 8;; at += 16) {
		long type = ptrace(PTRACE_PEEKDATA, pid, at, 0);
		if (type == AT_NULL || errno == EIO || errno == EFAULT) return;
		if (type == AT_SYSINFO_EHDR) ptrace(PTRACE_POKEDATA, pid, at, AT_IGNORE);
	}
}

static long offset(const char *name) {
	long seconds = 0;
	FILE *f = fopen(name, "r");
	if (!f) return 0;
	if (fscanf(f, "%ld", &seconds) != 1) seconds = 0;
	fclose(f);
	return seconds;
}

// answer makes the clock's call return the wrong time: it skips the call and writes its result.
static void answer(pid_t pid, long seconds) {
	struct user_regs_struct r;
	struct timespec now;
	if (seconds == 0 || ptrace(PTRACE_GETREGS, pid, 0, &r)) return;
	clock_gettime(CLOCK_REALTIME, &now);
	int day = r.orig_rax == SYS_gettimeofday;
	unsigned long to = day ? r.rdi : r.rsi;
	if (to) {
		ptrace(PTRACE_POKEDATA, pid, to, now.tv_sec + seconds);
		ptrace(PTRACE_POKEDATA, pid, to + 8, day ? now.tv_nsec / 1000 : now.tv_nsec);
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
		filter();
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
		int pass = WSTOPSIG(status), event = status >> 16;
		errno = 0;
		if (event == PTRACE_EVENT_EXEC) hide(pid);
		if (event == PTRACE_EVENT_SECCOMP) answer(pid, offset(argv[1]));
		if (event || pass == SIGTRAP) pass = 0;
		if (pass == SIGSTOP) pass = 0; // a new process stops once
		ptrace(PTRACE_CONT, pid, 0, pass);
	}
	return code;
}
