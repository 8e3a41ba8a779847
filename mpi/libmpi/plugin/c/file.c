#include "calls.h"

#include <errno.h>
#include <stddef.h>

int beff_lost(void) {
	static const int lost[] = {EIO, ENOSPC, EDQUOT, EROFS, ESTALE, EFBIG, ENODEV, ENXIO};
	if (errno == 0) return 0;
	for (size_t i = 0; i < sizeof lost / sizeof *lost; i++)
		if (errno == lost[i]) return errno;
	return 0;
}

int beff_system;

// outside returns the code of a call outside of programs, and stores the system's error. It returns an error for a call
// that has lost data but reported success.
static int outside(int rc) {
	beff_system = beff_lost();
	return rc == MPI_SUCCESS && beff_system ? MPI_ERR_IO : rc;
}

int beff_file_open(beff_file *f) {
	f->etype = 1; // a newly opened file's view is of MPI_BYTE
	errno = 0;
	int rc = MPI_File_open(f->comm, f->path, f->mode, f->info, &f->handle);
	return rc == MPI_SUCCESS ? rc : outside(rc); // errno means nothing after a successful open
}

int beff_file_truncate(beff_file *f) {
	errno = 0;
	return outside(MPI_File_set_size(f->handle, 0));
}

int beff_file_close(beff_file *f) {
	errno = 0;
	return outside(MPI_File_close(&f->handle));
}

int beff_file_sync(beff_file *f) {
	errno = 0;
	return outside(MPI_File_sync(f->handle));
}

int beff_file_length(beff_file *f, int64_t *length) {
	MPI_Offset size = 0;
	int rc = MPI_File_get_size(f->handle, &size);
	*length = size;
	return rc;
}

// make_slots makes the type of one slot of each row of `slots` slots of `block` elements, as a part of a
// two-dimensional array.
static int make_slots(int slots, int slot, int block, MPI_Datatype etype, MPI_Datatype *type) {
	int sizes[] = {slots, block}, part[] = {1, block}, start[] = {slot, 0};
	int rc = MPI_Type_create_subarray(2, sizes, part, start, MPI_ORDER_C, etype, type);
	return rc == MPI_SUCCESS ? MPI_Type_commit(type) : rc;
}

int beff_file_view(beff_file *f, int64_t start, int slots, int slot, int block, int bytes, beff_handle info) {
	MPI_Datatype etype = bytes ? MPI_BYTE : MPI_DOUBLE, type = etype;
	if (slots > 1) {
		int rc = make_slots(slots, slot, block, etype, &type);
		if (rc != MPI_SUCCESS) return rc;
	}
	int rc = MPI_File_set_view(f->handle, start, etype, type, "native", info.info);
	if (slots > 1) MPI_Type_free(&type);
	return rc;
}

int beff_file_info(beff_file *f, beff_handle *out) { return MPI_File_get_info(f->handle, &out->info); }

int beff_comm_info(const beff_comm *c, beff_handle *out) { return MPI_Comm_get_info(c->comm, &out->info); }

int beff_info_create(beff_handle *out) { return MPI_Info_create(&out->info); }

int beff_info_free(beff_handle info) { return MPI_Info_free(&info.info); }

int beff_info_set(beff_handle info, const char *key, const char *value) { return MPI_Info_set(info.info, key, value); }

int beff_info_size(beff_handle info, int *n) { return MPI_Info_get_nkeys(info.info, n); }

int beff_info_get(beff_handle info, int n, beff_hint *out) {
	int length, found;
	int rc = MPI_Info_get_nthkey(info.info, n, out->key);
	if (rc == MPI_SUCCESS) rc = MPI_Info_get_valuelen(info.info, out->key, &length, &found);
	return rc == MPI_SUCCESS ? MPI_Info_get(info.info, out->key, length, out->value, &found) : rc;
}
