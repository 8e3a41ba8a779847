// The program that has loaded the plug-in: crashes of its processes, and its pages.
#define _GNU_SOURCE
#include "calls.h"

#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static uintptr_t code, code_end; // of the program, which has only Go code

// find_code finds the address of the program's code. The program is the first of all objects.
static int find_code(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = info->dlpi_phdr + i;
		if (p->p_type != PT_LOAD || !(p->p_flags & PF_X)) continue;
		code = info->dlpi_addr + p->p_vaddr;
		code_end = code + p->p_memsz;
	}
	return 1;
}

static int in_go(uintptr_t at) { return at >= code && at < code_end; }

// instruction returns the address of the instruction that a signal interrupted, or an address in Go's code if it isn't
// known.
static uintptr_t instruction(const ucontext_t *u) {
#if defined(__x86_64__)
	return u->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
	return u->uc_mcontext.pc;
#else
	return (void)u, code;
#endif
}

enum { highest = 32 };
static struct sigaction before[highest]; // the previous handlers
static struct sigaction go; // the handler of the Go runtime, the same for all signals
static char who[128];

const char *beff_process_name(void) { return who; }

// place is the object of an instruction, and the offset in it, as addr2line needs it.
struct place {
	uintptr_t at, offset;
	const char *object;
};

// find_place finds the object of an instruction.
static int find_place(struct dl_phdr_info *info, size_t size, void *data) {
	(void)size;
	struct place *p = data;
	uintptr_t offset = p->at - info->dlpi_addr;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *h = info->dlpi_phdr + i;
		if (h->p_type != PT_LOAD || offset - h->p_vaddr >= h->p_memsz) continue;
		const char *slash = strrchr(info->dlpi_name, '/');
		p->object = slash ? slash + 1 : info->dlpi_name;
		p->offset = offset;
		return 1;
	}
	return 0;
}

// crash handles a crash in C. It prints one line and takes the signal's default action, because libraries' handlers
// print dozens of lines each, and the Go runtime after them hundreds. For a crash in Go it calls the previous handler.
// A signal from another process (kill) isn't a crash, so Go's handler gets it.
static void crash(int number, siginfo_t *info, void *context) {
	if (info->si_code == SI_USER && go.sa_flags & SA_SIGINFO) {
		go.sa_sigaction(number, info, context);
		return;
	}
	const struct sigaction *old = before + number;
	if (in_go(instruction(context)) && old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(number, info, context);
		return;
	}
	struct place in = {.at = instruction(context), .object = "no object"};
	dl_iterate_phdr(find_place, &in);
	char line[1024];
	const char *explained = beff_device_crash(number, info->si_addr);
	int n = explained
	            ? snprintf(line, sizeof line, "beff: %s: %s\n", who, explained)
	            : snprintf(line, sizeof line,
	                       "beff: %s: signal %d (%s) in the MPI library or its plug-in, at %.200s+0x%lx\n", who, number,
	                       strsignal(number), in.object, (unsigned long)in.offset);
	if (write(STDERR_FILENO, line, n) < 0) {} // no other way to report it
	signal(number, SIG_DFL);
	raise(number);
}

void beff_guard(const char *name) {
	static int again;
	const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
	const int others[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU, SIGSYS, SIGTRAP};
	struct sigaction action = {.sa_sigaction = crash, .sa_flags = SA_SIGINFO | SA_ONSTACK}, old;
	snprintf(who, sizeof who, "%s", name);
	dl_iterate_phdr(find_code, NULL);
	sigfillset(&action.sa_mask);
	sigaction(SIGURG, NULL, &go); // Go preempts with it, and no library replaces it
	for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++) {
		sigaction(crashes[i], &action, &old);
		if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != crash) before[crashes[i]] = old;
	}
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		sigaction(others[i], again ? before + others[i] : NULL, again ? NULL : before + others[i]);
	again = 1;
}

// drop releases the read-only pages of the program. The system reads them again from the program's file when they are
// needed.
static int drop(struct dl_phdr_info *info, size_t size, void *unused) {
	(void)size, (void)unused;
	uintptr_t page = sysconf(_SC_PAGESIZE);
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = info->dlpi_phdr + i;
		if (p->p_type != PT_LOAD || p->p_flags & PF_W) continue;
		uintptr_t begin = info->dlpi_addr + p->p_vaddr, first = begin / page * page;
		madvise((void *)first, begin + p->p_memsz - first, MADV_DONTNEED);
	}
	return 1;
}

void beff_release_pages(void) { dl_iterate_phdr(drop, NULL); }
