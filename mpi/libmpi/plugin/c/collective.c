#include "calls.h"

// displace sets the displacements of places that walk, from the first of them.
static void displace(beff_side *side, const beff_place *places, int n) {
	if (!side->moves) return;
	for (int i = 0; i < n; i++) side->displs[places[i].peer] = (int)(places[i].at - places[0].at);
	for (int i = 0; side->extent > 1 && i < n; i++) side->displs[places[i].peer] /= side->extent;
}

// next_root returns the root of this loop: round robin, without a division.
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

// USE is a call of the library, or the user's function that stands for it.
#define USE(call) (x->function ? (__typeof__(call) *)x->function : call)

// blocking makes a blocking call. In Bcast the root uses its place Send, the others use their place Recv.
static int blocking(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv) {
	const beff_side *s = &x->send, *r = &x->recv;
	switch (c->op) {
	case BEFF_BCAST:
		if (me == root) return USE(MPI_Bcast)(send, s->count, s->type, root, comm);
		return USE(MPI_Bcast)(recv, r->count, r->type, root, comm);
	case BEFF_GATHER: return USE(MPI_Gather)(send, s->count, s->type, recv, r->count, r->type, root, comm);
	case BEFF_GATHERV:
		return USE(MPI_Gatherv)(send, s->count, s->type, recv, r->counts, r->displs, r->type, root, comm);
	case BEFF_SCATTER: return USE(MPI_Scatter)(send, s->count, s->type, recv, r->count, r->type, root, comm);
	case BEFF_SCATTERV:
		return USE(MPI_Scatterv)(send, s->counts, s->displs, s->type, recv, r->count, r->type, root, comm);
	case BEFF_ALLGATHER: return USE(MPI_Allgather)(send, s->count, s->type, recv, r->count, r->type, comm);
	case BEFF_ALLGATHERV:
		return USE(MPI_Allgatherv)(send, s->count, s->type, recv, r->counts, r->displs, r->type, comm);
	case BEFF_ALLTOALL: return USE(MPI_Alltoall)(send, s->count, s->type, recv, r->count, r->type, comm);
	case BEFF_ALLTOALLV:
		return USE(MPI_Alltoallv)(send, s->counts, s->displs, s->type, recv, r->counts, r->displs, r->type, comm);
	case BEFF_REDUCE: return USE(MPI_Reduce)(send, recv, s->count, s->type, x->reduce, root, comm);
	case BEFF_REDUCE_SCATTER: return USE(MPI_Reduce_scatter)(send, recv, s->counts, s->type, x->reduce, comm);
	case BEFF_REDUCE_SCATTER_BLOCK:
		return USE(MPI_Reduce_scatter_block)(send, recv, r->count, r->type, x->reduce, comm);
#ifdef BEFF_SHMEM
	case BEFF_ALLREDUCE: return beff_reduce(c, send, recv);
#else
	case BEFF_ALLREDUCE: return USE(MPI_Allreduce)(send, recv, s->count, s->type, x->reduce, comm);
#endif
	case BEFF_DUPFREE: return dup_free(comm);
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}

// starting makes a call that opens a request.
static int starting(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv,
                    MPI_Request *q) {
	const beff_side *s = &x->send, *r = &x->recv;
	switch (c->op) {
	case BEFF_IBCAST:
		if (me == root) return MPI_Ibcast(send, s->count, s->type, root, comm, q);
		return MPI_Ibcast(recv, r->count, r->type, root, comm, q);
	case BEFF_IGATHER: return MPI_Igather(send, s->count, s->type, recv, r->count, r->type, root, comm, q);
	case BEFF_IGATHERV:
		return MPI_Igatherv(send, s->count, s->type, recv, r->counts, r->displs, r->type, root, comm, q);
	case BEFF_ISCATTER: return MPI_Iscatter(send, s->count, s->type, recv, r->count, r->type, root, comm, q);
	case BEFF_ISCATTERV:
		return MPI_Iscatterv(send, s->counts, s->displs, s->type, recv, r->count, r->type, root, comm, q);
	case BEFF_IALLGATHER: return MPI_Iallgather(send, s->count, s->type, recv, r->count, r->type, comm, q);
	case BEFF_IALLGATHERV:
		return MPI_Iallgatherv(send, s->count, s->type, recv, r->counts, r->displs, r->type, comm, q);
	case BEFF_IALLTOALL: return MPI_Ialltoall(send, s->count, s->type, recv, r->count, r->type, comm, q);
	case BEFF_IALLTOALLV:
		return MPI_Ialltoallv(send, s->counts, s->displs, s->type, recv, r->counts, r->displs, r->type, comm, q);
	case BEFF_IREDUCE: return MPI_Ireduce(send, recv, s->count, s->type, x->reduce, root, comm, q);
	case BEFF_IREDUCE_SCATTER: return MPI_Ireduce_scatter(send, recv, s->counts, s->type, x->reduce, comm, q);
	case BEFF_IREDUCE_SCATTER_BLOCK:
		return MPI_Ireduce_scatter_block(send, recv, r->count, r->type, x->reduce, comm, q);
	case BEFF_IALLREDUCE: return MPI_Iallreduce(send, recv, s->count, s->type, x->reduce, comm, q);
	case BEFF_IBARRIER: return MPI_Ibarrier(comm, q);
	default: return MPI_ERR_OTHER;
	}
}

int beff_collective(beff_program *p, const beff_call *c) {
	static char nothing;
	void *send = c->nsend ? c->send[0].addr : &nothing;
	void *recv = c->nrecv ? c->recv[0].addr : &nothing;
	beff_extra *x = c->extra;
	MPI_Comm comm = p->comm->comm;
	int me = p->comm->rank, root = next_root(c, x);
	displace(&x->send, c->send, c->nsend);
	displace(&x->recv, c->recv, c->nrecv);
	if (!x->at_root || me == root) {
		if (x->send_in_place) send = MPI_IN_PLACE;
		if (x->recv_in_place) recv = MPI_IN_PLACE;
	}
	if (c->family == BEFF_FAMILY_COLLECTIVE) return blocking(c, x, root, me, comm, send, recv);
	return starting(c, x, root, me, comm, send, recv, p->requests + c->request);
}
