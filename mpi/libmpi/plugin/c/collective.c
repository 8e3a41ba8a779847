#include "calls.h"

// displace sets the displacements of places that move, relative to the first one.
static void displace(const beff_extra *x, beff_side *side, const beff_place *places, int n) {
	if (!side->moves) return;
	for (int i = 0; i < n; i++) {
		int at = x->neighbours ? i : places[i].peer;
		side->displs[at] = (int)(places[i].at - places[0].at);
		if (side->extent > 1) side->displs[at] /= side->extent;
		if (side->bytes) side->bytes[at] = side->displs[at];
	}
}

// next_root returns the root of this loop, round robin, without a division.
static int next_root(const beff_call *c, beff_extra *x) {
	if (x->round == 0) return c->root;
	int root = x->root;
	x->root = root + 1 == x->round ? 0 : root + 1;
	return root;
}

static int dup_free(MPI_Comm comm) {
	MPI_Comm copy;
	int rc = MPI_Comm_dup(comm, &copy);
	return rc == MPI_SUCCESS ? MPI_Comm_free(&copy) : rc;
}

// USE is a call of the library, or the user's function that replaces it.
#define USE(call) (x->function ? (__typeof__(call) *)x->function : call)

// blocking makes a blocking call.
static int blocking(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv) {
	const beff_side *s = &x->send, *r = &x->recv;
#ifdef BEFF_SHMEM
	if (c->op == BEFF_ALLREDUCE) return beff_reduce(c, send, recv);
#endif
	switch (c->op) {
#define CASE(OP, Name, name, ...) case BEFF_##OP: return USE(MPI_##Name)(__VA_ARGS__, comm);
	BEFF_COLLECTIVES(CASE)
#undef CASE
	case BEFF_SCAN: return USE(MPI_Scan)(BEFF_REDUCED, comm);
	case BEFF_EXSCAN: return USE(MPI_Exscan)(BEFF_REDUCED, comm);
	case BEFF_DUPFREE: return dup_free(comm);
	default: return beff_large(c, x, root, me, comm, send, recv);
	}
}

// starting makes a call that opens a request.
static int starting(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv,
                    MPI_Request *q) {
	const beff_side *s = &x->send, *r = &x->recv;
	switch (c->op) {
#define CASE(OP, Name, name, ...) case BEFF_I##OP: return MPI_I##name(__VA_ARGS__, comm, q);
	BEFF_COLLECTIVES(CASE)
#undef CASE
	case BEFF_IBARRIER: return MPI_Ibarrier(comm, q);
	default: return MPI_ERR_OTHER;
	}
}

int beff_collective(beff_program *p, const beff_call *c) {
	static char nothing;
	void *send = c->nsend ? c->send[0].addr : &nothing;
	void *recv = c->nrecv ? c->recv[0].addr : &nothing;
	beff_extra *x = c->extra;
	MPI_Comm comm = x->neighbours == 1 ? x->graph : p->comm->comm;
	MPI_Request *q = p->requests + c->request;
	int me = p->comm->rank, root = next_root(c, x);
	displace(x, &x->send, c->send, c->nsend);
	displace(x, &x->recv, c->recv, c->nrecv);
	if (!x->at_root || me == root) {
		if (x->send_in_place) send = MPI_IN_PLACE;
		if (x->recv_in_place) recv = MPI_IN_PLACE;
	}
	if (c->family == BEFF_FAMILY_COLLECTIVE) return blocking(c, x, root, me, comm, send, recv);
	if (c->starts) return beff_make_collective(c, x, root, me, comm, send, recv, q);
	return starting(c, x, root, me, comm, send, recv, q);
}
