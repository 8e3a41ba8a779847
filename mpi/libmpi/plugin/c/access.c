#include "calls.h"

#include <stddef.h>

// offset returns the offset of a place in its file, in units of the view.
static MPI_Offset offset(const beff_place *f) { return f->at / f->space->file.etype; }

int beff_file_move(const beff_call *c, MPI_Status *status) {
	const beff_place *f = c->recv;
	MPI_File file = f->space->file.handle;
	MPI_Offset at = offset(f);
	void *memory = c->send->addr;
	switch (c->op) {
	case BEFF_FILE_WRITE_AT: return MPI_File_write_at(file, at, memory, f->count, f->type, status);
	case BEFF_FILE_WRITE_AT_ALL: return MPI_File_write_at_all(file, at, memory, f->count, f->type, status);
	case BEFF_FILE_WRITE: return MPI_File_write(file, memory, f->count, f->type, status);
	case BEFF_FILE_WRITE_ALL: return MPI_File_write_all(file, memory, f->count, f->type, status);
	case BEFF_FILE_WRITE_SHARED: return MPI_File_write_shared(file, memory, f->count, f->type, status);
	case BEFF_FILE_WRITE_ORDERED: return MPI_File_write_ordered(file, memory, f->count, f->type, status);
	case BEFF_FILE_READ_AT: return MPI_File_read_at(file, at, memory, f->count, f->type, status);
	case BEFF_FILE_READ_AT_ALL: return MPI_File_read_at_all(file, at, memory, f->count, f->type, status);
	case BEFF_FILE_READ: return MPI_File_read(file, memory, f->count, f->type, status);
	case BEFF_FILE_READ_ALL: return MPI_File_read_all(file, memory, f->count, f->type, status);
	case BEFF_FILE_READ_SHARED: return MPI_File_read_shared(file, memory, f->count, f->type, status);
	case BEFF_FILE_READ_ORDERED: return MPI_File_read_ordered(file, memory, f->count, f->type, status);
	case BEFF_FILE_WRITE_AT_C:
	case BEFF_FILE_READ_AT_C: return beff_large_file(c, at, status);
	case BEFF_FILE_WRITE_AT_ALL_END: return MPI_File_write_at_all_end(file, memory, status);
	case BEFF_FILE_WRITE_ALL_END: return MPI_File_write_all_end(file, memory, status);
	case BEFF_FILE_WRITE_ORDERED_END: return MPI_File_write_ordered_end(file, memory, status);
	case BEFF_FILE_READ_AT_ALL_END: return MPI_File_read_at_all_end(file, memory, status);
	case BEFF_FILE_READ_ALL_END: return MPI_File_read_all_end(file, memory, status);
	default: return MPI_File_read_ordered_end(file, memory, status);
	}
}

int beff_file_start(const beff_call *c, MPI_Request *request) {
	const beff_place *f = c->recv;
	MPI_File file = f->space->file.handle;
	MPI_Offset at = offset(f);
	void *memory = c->send->addr;
	switch (c->op) {
	case BEFF_FILE_IWRITE_AT: return MPI_File_iwrite_at(file, at, memory, f->count, f->type, request);
	case BEFF_FILE_IWRITE: return MPI_File_iwrite(file, memory, f->count, f->type, request);
	case BEFF_FILE_IWRITE_SHARED: return MPI_File_iwrite_shared(file, memory, f->count, f->type, request);
	case BEFF_FILE_IREAD_AT: return MPI_File_iread_at(file, at, memory, f->count, f->type, request);
	case BEFF_FILE_IREAD: return MPI_File_iread(file, memory, f->count, f->type, request);
	default: return MPI_File_iread_shared(file, memory, f->count, f->type, request);
	}
}

// open_path opens the file, or the file of a path, which only this process opens.
static int open_path(const beff_place *p) {
	beff_file *f = &p->space->file;
	if (p->space->paths.text) {
		f->comm = MPI_COMM_SELF;
		f->mode = MPI_MODE_CREATE | MPI_MODE_RDWR;
		f->info = MPI_INFO_NULL;
		f->path = (char *)beff_path(p);
	}
	return f->handle == MPI_FILE_NULL ? beff_file_open(f) : MPI_ERR_FILE;
}

int beff_file_act(const beff_call *c) {
	const beff_place *f = c->recv;
	beff_file *file = &f->space->file;
	MPI_File h = file->handle;
	void *memory = c->nsend ? c->send->addr : NULL;
	switch (c->op) {
	case BEFF_FILE_SYNC: return beff_file_sync(file);
	case BEFF_FILE_OPEN: return open_path(f);
	case BEFF_FILE_CLOSE: return beff_file_close(file);
	case BEFF_FILE_DELETE: return MPI_File_delete(beff_path(f), MPI_INFO_NULL);
	case BEFF_FILE_SET_SIZE: return MPI_File_set_size(h, c->extra->times);
	case BEFF_FILE_WRITE_AT_ALL_BEGIN: return MPI_File_write_at_all_begin(h, offset(f), memory, f->count, f->type);
	case BEFF_FILE_WRITE_ALL_BEGIN: return MPI_File_write_all_begin(h, memory, f->count, f->type);
	case BEFF_FILE_WRITE_ORDERED_BEGIN: return MPI_File_write_ordered_begin(h, memory, f->count, f->type);
	case BEFF_FILE_READ_AT_ALL_BEGIN: return MPI_File_read_at_all_begin(h, offset(f), memory, f->count, f->type);
	case BEFF_FILE_READ_ALL_BEGIN: return MPI_File_read_all_begin(h, memory, f->count, f->type);
	default: return MPI_File_read_ordered_begin(h, memory, f->count, f->type);
	}
}
