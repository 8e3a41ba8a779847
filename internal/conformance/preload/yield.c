// Preloaded before an MPI over UCX (MPICH's device ch4:ucx), it gives the processor away when a wait made no progress:
// for a turn, and from the 50th in succession on for 50 µs. MPICH polls without a pause, so with more processes than
// cores each step takes a time slice of the kernel. 4 processes on 2 cores took 33.5 s for a part of a quick rating,
// and 3.8 s with yields alone. Sleep leaves the processors to other tests: yields took more than half of
// the processor time of tests.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sched.h>
#include <time.h>

unsigned ucp_worker_progress(void *worker) {
	static unsigned (*progress)(void *);
	static __thread unsigned idle; // calls in succession that made no progress
	if (!progress) *(void **)&progress = dlsym(RTLD_NEXT, "ucp_worker_progress");
	unsigned events = progress(worker);
	idle = events == 0 ? idle + 1 : 0;
	if (idle >= 50)
		nanosleep(&(struct timespec){.tv_nsec = 50000}, NULL);
	else if (idle > 0)
		sched_yield();
	return events;
}
