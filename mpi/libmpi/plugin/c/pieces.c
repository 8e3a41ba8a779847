#include "plugin.h"

// commit commits a new type.
static int commit(int rc, MPI_Datatype *type) { return rc == MPI_SUCCESS ? MPI_Type_commit(type) : rc; }

int beff_strided_type(int count, int length, MPI_Aint stride, beff_handle *out) {
	return commit(MPI_Type_create_hvector(count, length, stride, MPI_BYTE, &out->type), &out->type);
}

int beff_pieces_type(int count, const int *lengths, const MPI_Aint *places, beff_handle *out) {
	return commit(MPI_Type_create_hindexed(count, lengths, places, MPI_BYTE, &out->type), &out->type);
}
