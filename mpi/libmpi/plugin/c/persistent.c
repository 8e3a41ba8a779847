// Persistent requests, and other objects that are made once for a program: graphs of neighbourhoods, and arrays of
// types.
#include "calls.h"

#include <stdlib.h>

// EITHER declares a call of MPI 4.0 by both of its names. A library of MPI 3.1 may have it as MPIX_ (Open MPI 4.1), or
// lack it, so that no program has it. CALL is the function that exists.
#define EITHER(name, ...) \
	extern int MPI_##name(__VA_ARGS__) __attribute__((weak)); \
	extern int MPIX_##name(__VA_ARGS__) __attribute__((weak));
#define CALL(name) (MPI_##name ? MPI_##name : MPIX_##name)

#define IN const void *, int, MPI_Datatype
#define OUT void *, int, MPI_Datatype
#define IN_V const void *, const int *, const int *, MPI_Datatype
#define OUT_V void *, const int *, const int *, MPI_Datatype
#define END MPI_Comm, MPI_Info, MPI_Request *

EITHER(Barrier_init, END)
EITHER(Bcast_init, OUT, int, END)
EITHER(Gather_init, IN, OUT, int, END)
EITHER(Gatherv_init, IN, OUT_V, int, END)
EITHER(Scatter_init, IN, OUT, int, END)
EITHER(Scatterv_init, IN_V, OUT, int, END)
EITHER(Allgather_init, IN, OUT, END)
EITHER(Allgatherv_init, IN, OUT_V, END)
EITHER(Alltoall_init, IN, OUT, END)
EITHER(Alltoallv_init, IN_V, OUT_V, END)
EITHER(Alltoallw_init, const void *, const int *, const int *, const MPI_Datatype *, void *, const int *, const int *,
       const MPI_Datatype *, END)
EITHER(Reduce_init, const void *, OUT, MPI_Op, int, END)
EITHER(Reduce_scatter_init, const void *, void *, const int *, MPI_Datatype, MPI_Op, END)
EITHER(Reduce_scatter_block_init, const void *, OUT, MPI_Op, END)
EITHER(Allreduce_init, const void *, OUT, MPI_Op, END)
EITHER(Neighbor_allgather_init, IN, OUT, END)
EITHER(Neighbor_allgatherv_init, IN, OUT_V, END)
EITHER(Neighbor_alltoall_init, IN, OUT, END)
EITHER(Neighbor_alltoallv_init, IN_V, OUT_V, END)
EITHER(Neighbor_alltoallw_init, const void *, const int *, const MPI_Aint *, const MPI_Datatype *, void *, const int *,
       const MPI_Aint *, const MPI_Datatype *, END)

int beff_make_collective(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send,
                         void *recv, MPI_Request *q) {
	const beff_side *s = &x->send, *r = &x->recv;
	const MPI_Info info = MPI_INFO_NULL;
	switch (c->init_op) {
	case BEFF_BARRIER_INIT: return CALL(Barrier_init)(comm, info, q);
#define CASE(OP, Name, name, ...) case BEFF_##OP##_INIT: return CALL(Name##_init)(__VA_ARGS__, comm, info, q);
	BEFF_COLLECTIVES(CASE)
#undef CASE
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}

// make_request makes the request of a persistent call.
static int make_request(beff_program *p, const beff_call *c) {
	MPI_Request *q = p->requests + c->request;
	const beff_place *s = c->send, *r = c->recv;
	MPI_Comm comm = p->comm->comm;
	switch (c->init_op) {
	case BEFF_SEND_INIT: return MPI_Send_init(s->addr, s->count, s->type, s->peer, c->tag, comm, q);
	case BEFF_RECV_INIT: return MPI_Recv_init(r->addr, r->count, r->type, r->peer, c->tag, comm, q);
	case BEFF_PSEND_INIT:
	case BEFF_PRECV_INIT: return beff_make_parted(c, comm, q);
	default: return beff_collective(p, c);
	}
}

int beff_request(beff_program *p, const beff_call *c) {
	switch ((int)c->op) {
	case BEFF_DEVICE_COPY: return beff_device_copy_call(p, c);
	case BEFF_REQUEST_FREE: return MPI_Request_free(p->requests + c->request);
	case BEFF_MAKEREQUEST: return make_request(p, p->calls + c->part);
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}

// make_graph makes the communicator in which the peers of a call's places are this process's neighbours.
static int make_graph(const beff_program *p, const beff_call *c) {
	int n = c->nrecv + c->nsend;
	int *ranks = malloc((2 * n + 1) * sizeof *ranks), *weights = ranks + n;
	if (!ranks) return MPI_ERR_NO_MEM;
	for (int i = 0; i < n; i++) {
		ranks[i] = i < c->nrecv ? c->recv[i].peer : c->send[i - c->nrecv].peer;
		weights[i] = 1;
	}
	int rc = MPI_Dist_graph_create_adjacent(p->comm->comm, c->nrecv, ranks, weights, c->nsend, ranks + c->nrecv,
	                                        weights + c->nrecv, MPI_INFO_NULL, 0, &c->extra->graph);
	free(ranks);
	return rc;
}

// widen makes the arrays of one side of a call in which each place has its own type and displacement in bytes.
static int widen(beff_side *side, int n) {
	side->types = malloc((n + 1) * sizeof *side->types);
	side->bytes = malloc((n + 1) * sizeof *side->bytes);
	if (!side->types || !side->bytes) return MPI_ERR_NO_MEM;
	for (int i = 0; i < n; i++) {
		side->types[i] = side->type;
		side->bytes[i] = side->displs[i];
	}
	return MPI_SUCCESS;
}

// ready makes the graph, the arrays and the request that a call needs.
static int ready(beff_program *p, beff_call *c) {
	beff_extra *x = c->extra;
	int rc = MPI_SUCCESS;
	if (x && x->neighbours == 1) rc = make_graph(p, c);
	if (rc == MPI_SUCCESS && x && x->wide) {
		int size = p->comm->size;
		rc = widen(&x->send, x->neighbours ? c->nsend : size);
		if (rc == MPI_SUCCESS) rc = widen(&x->recv, x->neighbours ? c->nrecv : size);
	}
	return rc == MPI_SUCCESS && c->starts ? make_request(p, c) : rc;
}

static int calls_of(const beff_program *p) {
	return p->calls ? p->nbefore + p->nloop + beff_after_loop + p->nafter : 0;
}

void beff_persist(beff_program *p) {
	for (int i = 0; i < calls_of(p); i++) {
		beff_call *c = p->calls + i;
		if (c->extra) c->extra->graph = MPI_COMM_NULL;
		if (!c->starts) continue;
		c->init_op = c->op;
		c->op = c->starts > 0 ? BEFF_START : BEFF_NOP;
	}
	for (int i = 0; i < calls_of(p); i++)
		for (int k = 0; p->calls[i].op == BEFF_MAKEREQUEST && k < i; k++)
			if (p->calls[k].starts && p->calls[k].request == p->calls[i].request) p->calls[i].part = k;
}

int beff_ready(beff_program *p) {
	int rc = MPI_SUCCESS;
	for (int i = 0; !p->ready && rc == MPI_SUCCESS && i < calls_of(p); i++)
		if ((rc = ready(p, p->calls + i)) != MPI_SUCCESS) p->failed = i;
	p->ready = 1;
	return rc;
}

void beff_unready(beff_program *p) {
	for (int i = 0; p->ready && i < calls_of(p); i++) {
		beff_call *c = p->calls + i;
		beff_extra *x = c->extra;
		if (c->starts && p->requests[c->request] != MPI_REQUEST_NULL) MPI_Request_free(p->requests + c->request);
		if (!x) continue;
		if (x->graph != MPI_COMM_NULL) MPI_Comm_free(&x->graph);
		free(x->send.types), free(x->send.bytes);
		free(x->recv.types), free(x->recv.bytes);
	}
}
