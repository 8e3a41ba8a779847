// Sessions (MPI 4.1, 11.3), which libraries of MPI 3.1 lack. Open MPI 5 has them, although it reports MPI 3.1.
#include "calls.h"

#include <signal.h>
#include <string.h>

#if MPI_VERSION < 4 && !defined(MPI_SESSION_NULL)
typedef struct beff_session *MPI_Session;
#endif

LATER(Session_init, MPI_Info, MPI_Errhandler, MPI_Session *)
LATER(Session_finalize, MPI_Session *)
LATER(Group_from_session_pset, MPI_Session, const char *, MPI_Group *)
LATER(Comm_create_from_group, MPI_Group, const char *, MPI_Info, MPI_Errhandler, MPI_Comm *)

// A session with its communicator of all processes.
typedef struct {
	MPI_Session session;
	MPI_Group group;
	MPI_Comm comm;
} beff_opened;

static beff_opened first;

// took returns the seconds since *at, and sets *at to the current time.
static double took(double *at) {
	double now = beff_now(), seconds = now - *at;
	*at = now;
	return seconds;
}

static int begin(beff_opened *o, const char *name, beff_session_times *t) {
	double at = beff_now();
	memset(o, 0, sizeof *o);
	int rc = MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &o->session);
	t->session = took(&at);
	if (rc == MPI_SUCCESS) rc = MPI_Group_from_session_pset(o->session, "mpi://WORLD", &o->group);
	t->group = took(&at);
	if (rc == MPI_SUCCESS)
		rc = MPI_Comm_create_from_group(o->group, name, MPI_INFO_NULL, MPI_ERRORS_RETURN, &o->comm);
	t->comm = took(&at);
	if (rc == MPI_SUCCESS) rc = MPI_Barrier(o->comm);
	t->barrier = took(&at);
	return rc;
}

static int end(beff_opened *o, beff_session_times *t) {
	double at = beff_now();
	int rc = MPI_Comm_free(&o->comm);
	if (rc == MPI_SUCCESS) rc = MPI_Group_free(&o->group);
	if (rc == MPI_SUCCESS) rc = MPI_Session_finalize(&o->session);
	t->freed = took(&at);
	return rc;
}

int beff_sessions_begin(beff_session_times *t) {
	beff_opened second;
	struct sigaction user; // see beff_init
	sigaction(SIGUSR1, NULL, &user);
	int rc = begin(&first, "beff-first", t);
	if (rc == MPI_SUCCESS) rc = begin(&second, "beff-second", t + 1);
	if (rc == MPI_SUCCESS) rc = end(&second, t + 1);
	sigaction(SIGUSR1, &user, NULL);
	return rc;
}

int beff_sessions_end(beff_session_times *t) { return end(&first, t); }
