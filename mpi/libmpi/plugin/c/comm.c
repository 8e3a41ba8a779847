#include "plugin.h"

#include <stdio.h>

// learn gets the rank and the size in a new communicator.
static int learn(beff_comm *c) {
	c->rank = c->size = 0;
	if (c->comm == MPI_COMM_NULL) return MPI_SUCCESS;
	int rc = MPI_Comm_rank(c->comm, &c->rank);
	return rc == MPI_SUCCESS ? MPI_Comm_size(c->comm, &c->size) : rc;
}

int beff_world(beff_comm *out) {
	out->comm = MPI_COMM_WORLD;
	return learn(out);
}

int beff_split(const beff_comm *c, int color, int key, beff_comm *out) {
	int rc = MPI_Comm_split(c->comm, color < 0 ? MPI_UNDEFINED : color, key, &out->comm);
	return rc == MPI_SUCCESS ? learn(out) : rc;
}

int beff_cart(const beff_comm *c, int dims, const int *shape, const int *periodic, beff_comm *out) {
	int rc = MPI_Cart_create(c->comm, dims, shape, periodic, 1, &out->comm);
	return rc == MPI_SUCCESS ? learn(out) : rc;
}

int beff_dup(const beff_comm *c, beff_comm *out) {
	int rc = MPI_Comm_dup(c->comm, &out->comm);
	return rc == MPI_SUCCESS ? learn(out) : rc;
}

int beff_thread_comm(const beff_comm *c, int thread, beff_comm *out) {
	char number[16];
	MPI_Info info;
	snprintf(number, sizeof number, "%d", thread);
	int rc = beff_dup(c, out);
	if (rc == MPI_SUCCESS) rc = MPI_Info_create(&info);
	if (rc != MPI_SUCCESS) return rc;
	rc = MPI_Info_set(info, "thread_id", number);
	if (rc == MPI_SUCCESS) rc = MPI_Comm_set_info(out->comm, info);
	int freed = MPI_Info_free(&info);
	return rc == MPI_SUCCESS ? freed : rc;
}

int beff_ranks(const beff_comm *c, const int *members, int *world) {
	MPI_Group from, to;
	int rc = MPI_Comm_group(c->comm, &from);
	if (rc == MPI_SUCCESS) rc = MPI_Comm_group(MPI_COMM_WORLD, &to);
	if (rc == MPI_SUCCESS) rc = MPI_Group_translate_ranks(from, c->size, members, to, world);
	if (rc == MPI_SUCCESS) rc = MPI_Group_free(&from);
	return rc == MPI_SUCCESS ? MPI_Group_free(&to) : rc;
}

int beff_comm_free(beff_comm *c) { return MPI_Comm_free(&c->comm); }

int beff_barrier(const beff_comm *c) { return MPI_Barrier(c->comm); }

int beff_bcast(void *data, int n, int root, const beff_comm *c) { return MPI_Bcast(data, n, MPI_BYTE, root, c->comm); }

int beff_gather(void *send, void *recv, int n, int root, const beff_comm *c) {
	return MPI_Gather(send, n, MPI_BYTE, recv, n, MPI_BYTE, root, c->comm);
}

int beff_allreduce(double *values, int n, int reduction, const beff_comm *c) {
	const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN};
	return MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, ops[reduction], c->comm);
}
