// Calls with large counts (MPI 4.1, 3.2.2). Libraries of MPI 3.1 lack them, so no program has them there.
#include "calls.h"

_Static_assert(sizeof(MPI_Count) == sizeof(int64_t) && sizeof(MPI_Aint) == sizeof(int64_t), "counts have 64 bits");

LATER(Send_c, const void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm)
LATER(Recv_c, void *, MPI_Count, MPI_Datatype, int, int, MPI_Comm, MPI_Status *)
LATER(Bcast_c, void *, MPI_Count, MPI_Datatype, int, MPI_Comm)
LATER(Allreduce_c, const void *, void *, MPI_Count, MPI_Datatype, MPI_Op, MPI_Comm)
LATER(Alltoallv_c, const void *, const MPI_Count *, const MPI_Aint *, MPI_Datatype, void *, const MPI_Count *,
      const MPI_Aint *, MPI_Datatype, MPI_Comm)

LATER(File_write_at_c, MPI_File, MPI_Offset, const void *, MPI_Count, MPI_Datatype, MPI_Status *)
LATER(File_read_at_c, MPI_File, MPI_Offset, void *, MPI_Count, MPI_Datatype, MPI_Status *)

int beff_large_message(const beff_call *c, MPI_Comm comm) {
	const beff_place *s = c->send, *r = c->recv;
	switch (c->op) {
	case BEFF_SEND_C: return MPI_Send_c(s->addr, s->length, MPI_BYTE, s->peer, c->tag, comm);
	case BEFF_RECV_C: return MPI_Recv_c(r->addr, r->length, MPI_BYTE, r->peer, c->tag, comm, MPI_STATUS_IGNORE);
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}

int beff_large(const beff_call *c, const beff_extra *x, int root, int me, MPI_Comm comm, void *send, void *recv) {
	const beff_side *s = &x->send, *r = &x->recv;
	switch (c->op) {
	case BEFF_BCAST_C:
		if (me == root) return MPI_Bcast_c(send, s->large_count, s->type, root, comm);
		return MPI_Bcast_c(recv, r->large_count, r->type, root, comm);
	case BEFF_ALLREDUCE_C: return MPI_Allreduce_c(send, recv, s->large_count, s->type, x->reduce, comm);
	case BEFF_ALLTOALLV_C:
		return MPI_Alltoallv_c(send, (const MPI_Count *)s->large_counts, (const MPI_Aint *)s->large_displs, s->type,
		                       recv, (const MPI_Count *)r->large_counts, (const MPI_Aint *)r->large_displs, r->type,
		                       comm);
	default: return MPI_ERR_OTHER; // the call has no case here
	}
}

int beff_large_file(const beff_call *c, MPI_Offset at, MPI_Status *status) {
	const beff_place *f = c->recv;
	MPI_File file = f->space->file.handle;
	MPI_Datatype etype = f->unit == 1 ? MPI_BYTE : MPI_DOUBLE;
	if (c->op == BEFF_FILE_WRITE_AT_C)
		return MPI_File_write_at_c(file, at, c->send->addr, f->length / f->unit, etype, status);
	return MPI_File_read_at_c(file, at, c->send->addr, f->length / f->unit, etype, status);
}
