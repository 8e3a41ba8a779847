// Partitioned messages (MPI 4.1, 4.2). Libraries of MPI 3.1 lack them, so no program has them there.
#include "calls.h"

LATER(Psend_init, const void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *)
LATER(Precv_init, void *, int, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Info, MPI_Request *)
LATER(Pready, int, MPI_Request)
LATER(Pready_range, int, int, MPI_Request)
LATER(Parrived, MPI_Request, int, int *)

int beff_make_parted(const beff_call *c, MPI_Comm comm, MPI_Request *q) {
	const beff_place *s = c->send, *r = c->recv;
	const MPI_Info info = MPI_INFO_NULL;
	if (c->init_op == BEFF_PSEND_INIT)
		return MPI_Psend_init(s->addr, c->parts, s->length / c->parts, MPI_BYTE, s->peer, c->tag, comm, info, q);
	return MPI_Precv_init(r->addr, c->parts, r->length / c->parts, MPI_BYTE, r->peer, c->tag, comm, info, q);
}

int beff_part(const beff_call *c, MPI_Request *q) {
	int rc = MPI_SUCCESS, arrived = 0;
	switch (c->op) {
	case BEFF_PREADY: return MPI_Pready(c->part, *q);
	case BEFF_PREADY_RANGE: return MPI_Pready_range(c->part, c->part + c->parts - 1, *q);
	case BEFF_PARRIVED:
		while (rc == MPI_SUCCESS && !arrived) rc = MPI_Parrived(*q, c->part, &arrived);
		return rc;
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}
