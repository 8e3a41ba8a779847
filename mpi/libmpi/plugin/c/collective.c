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
	case BEFF_ALLTOALLW:
		return MPI_Alltoallw(send, s->counts, s->displs, s->types, recv, r->counts, r->displs, r->types, comm);
	case BEFF_NEIGHBOR_ALLGATHER:
		return MPI_Neighbor_allgather(send, s->count, s->type, recv, r->count, r->type, comm);
	case BEFF_NEIGHBOR_ALLGATHERV:
		return MPI_Neighbor_allgatherv(send, s->count, s->type, recv, r->counts, r->displs, r->type, comm);
	case BEFF_NEIGHBOR_ALLTOALL: return MPI_Neighbor_alltoall(send, s->count, s->type, recv, r->count, r->type, comm);
	case BEFF_NEIGHBOR_ALLTOALLV:
		return MPI_Neighbor_alltoallv(send, s->counts, s->displs, s->type, recv, r->counts, r->displs, r->type, comm);
	case BEFF_NEIGHBOR_ALLTOALLW:
		return MPI_Neighbor_alltoallw(send, s->counts, s->bytes, s->types, recv, r->counts, r->bytes, r->types, comm);
	case BEFF_REDUCE: return USE(MPI_Reduce)(send, recv, s->count, s->type, x->reduce, root, comm);
	case BEFF_REDUCE_SCATTER: return USE(MPI_Reduce_scatter)(send, recv, s->counts, s->type, x->reduce, comm);
	case BEFF_REDUCE_SCATTER_BLOCK:
		return USE(MPI_Reduce_scatter_block)(send, recv, r->count, r->type, x->reduce, comm);
#ifdef BEFF_SHMEM
	case BEFF_ALLREDUCE: return beff_reduce(c, send, recv);
#else
	case BEFF_ALLREDUCE: return USE(MPI_Allreduce)(send, recv, s->count, s->type, x->reduce, comm);
#endif
	case BEFF_SCAN: return MPI_Scan(send, recv, s->count, s->type, x->reduce, comm);
	case BEFF_EXSCAN: return MPI_Exscan(send, recv, s->count, s->type, x->reduce, comm);
	case BEFF_DUPFREE: return dup_free(comm);
	default: return beff_large(c, x, root, me, comm, send, recv);
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
	case BEFF_IALLTOALLW:
		return MPI_Ialltoallw(send, s->counts, s->displs, s->types, recv, r->counts, r->displs, r->types, comm, q);
	case BEFF_INEIGHBOR_ALLGATHER:
		return MPI_Ineighbor_allgather(send, s->count, s->type, recv, r->count, r->type, comm, q);
	case BEFF_INEIGHBOR_ALLGATHERV:
		return MPI_Ineighbor_allgatherv(send, s->count, s->type, recv, r->counts, r->displs, r->type, comm, q);
	case BEFF_INEIGHBOR_ALLTOALL:
		return MPI_Ineighbor_alltoall(send, s->count, s->type, recv, r->count, r->type, comm, q);
	case BEFF_INEIGHBOR_ALLTOALLV:
		return MPI_Ineighbor_alltoallv(send, s->counts, s->displs, s->type,
		    recv, r->counts, r->displs, r->type, comm, q);
	case BEFF_INEIGHBOR_ALLTOALLW:
		return MPI_Ineighbor_alltoallw(send, s->counts, s->bytes, s->types,
		    recv, r->counts, r->bytes, r->types, comm, q);
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
