// Loops written by hand in C, as any MPI benchmark has them. The overhead of programs is measured against them.
#include <mpi.h>
#include <string.h>

double byhand_ping_pong(char *send, char *recv, int length, int peer, long loops) {
	MPI_Comm comm = MPI_COMM_WORLD;
	int rank;
	MPI_Comm_rank(comm, &rank);
	double begin = MPI_Wtime();
	for (long i = 0; i < loops; i++) {
		if (rank == 0) {
			if (MPI_Send(send, length, MPI_BYTE, peer, 0, comm) != MPI_SUCCESS) return -1;
			if (MPI_Recv(recv, length, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
		} else {
			if (MPI_Recv(recv, length, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
			if (MPI_Send(send, length, MPI_BYTE, peer, 0, comm) != MPI_SUCCESS) return -1;
		}
	}
	return MPI_Wtime() - begin;
}

// The same with b_eff's requirements: buffers that are walked through, and a message's first and last byte that are set
// before the send and checked after the receive.
double byhand_marked_ping_pong(char *sendbuf, char *recvbuf, long size, int length, int peer, long loops) {
	MPI_Comm comm = MPI_COMM_WORLD;
	int rank, wrong = 0;
	long sendpos = 0, recvpos = 0, step = (length + 7) / 8 * 8;
	MPI_Comm_rank(comm, &rank);
	double begin = MPI_Wtime();
	for (long i = 0; i < loops; i++) {
		if (sendpos + length > size) sendpos = 0;
		if (recvpos + length > size) recvpos = 0;
		char *send = sendbuf + sendpos, *recv = recvbuf + recvpos;
		sendpos += step;
		recvpos += step;
		char out = (char)(rank * 151 + i * 7), in = (char)(peer * 151 + i * 7);
		send[0] = out;
		if (length > 1) send[length - 1] = (char)~out;
		if (rank == 0) {
			if (MPI_Send(send, length, MPI_BYTE, peer, 0, comm) != MPI_SUCCESS) return -1;
			if (MPI_Recv(recv, length, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
		} else {
			if (MPI_Recv(recv, length, MPI_BYTE, peer, 0, comm, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
			if (MPI_Send(send, length, MPI_BYTE, peer, 0, comm) != MPI_SUCCESS) return -1;
		}
		if (recv[0] != in || (length > 1 && recv[length - 1] != (char)~in)) wrong = 1;
	}
	return wrong ? -2 : MPI_Wtime() - begin;
}

static MPI_File file; // only this process has it open

int byhand_open(const char *path) {
	return MPI_File_open(MPI_COMM_SELF, path, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_UNIQUE_OPEN, MPI_INFO_NULL,
	                     &file);
}

int byhand_close(void) { return MPI_File_close(&file); }

int byhand_rewind(void) {
	return MPI_File_set_view(file, 0, MPI_DOUBLE, MPI_DOUBLE, "native", MPI_INFO_NULL);
}

// byhand_writes writes chunks until process 0 ends it, as in b_eff_io's type 2: after a barrier it decides by the time
// and broadcasts its decision.
double byhand_writes(char *memory, int length, long loops, double budget) {
	int rank;
	char more = 1;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	double begin = MPI_Wtime();
	for (long i = 1; more; i++) {
		if (MPI_File_write(file, memory, length / 8, MPI_DOUBLE, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
		if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
		if (rank == 0) more = i < loops && (MPI_Wtime() - begin) * (i + 1) / i <= budget;
		if (MPI_Bcast(&more, 1, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
	}
	return MPI_Wtime() - begin;
}

// byhand_marked_writes does the same with b_eff_io's requirements: marks at both ends of a chunk, the count of what was
// written, and the time of each part of a loop.
double byhand_marked_writes(char *memory, int length, long loops, double budget) {
	static double parts[4];
	int rank, moved;
	char more = 1;
	MPI_Status status;
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	double begin = MPI_Wtime(), mark = begin, now;
	for (long i = 1; more; i++) {
		long value = i, end = ~i;
		memcpy(memory, &value, 8);
		memcpy(memory + length - 8, &end, 8);
		now = MPI_Wtime(), parts[0] += now - mark, mark = now;
		if (MPI_File_write(file, memory, length / 8, MPI_DOUBLE, &status) != MPI_SUCCESS) return -1;
		if (MPI_Get_count(&status, MPI_DOUBLE, &moved) != MPI_SUCCESS || moved != length / 8) return -1;
		now = MPI_Wtime(), parts[1] += now - mark, mark = now;
		if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
		now = MPI_Wtime(), parts[2] += now - mark, mark = now;
		if (rank == 0) more = i < loops && (mark - begin) * (i + 1) / i <= budget;
		if (MPI_Bcast(&more, 1, MPI_BYTE, 0, MPI_COMM_WORLD) != MPI_SUCCESS) return -1;
		now = MPI_Wtime(), parts[3] += now - mark, mark = now;
	}
	return mark - begin;
}

extern int MPI_Allreduce_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request *)
	__attribute__((weak));
extern int MPIX_Allreduce_init(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Info, MPI_Request *)
	__attribute__((weak));

double byhand_persistent(char *send, char *recv, int count, long loops) {
	MPI_Request request;
	int rc = (MPI_Allreduce_init ? MPI_Allreduce_init : MPIX_Allreduce_init)(send, recv, count, MPI_FLOAT, MPI_SUM,
	                                                                         MPI_COMM_WORLD, MPI_INFO_NULL, &request);
	if (rc != MPI_SUCCESS) return -1;
	double begin = MPI_Wtime();
	for (long i = 0; i < loops; i++) {
		if (MPI_Start(&request) != MPI_SUCCESS) return -1;
		if (MPI_Wait(&request, MPI_STATUS_IGNORE) != MPI_SUCCESS) return -1;
	}
	double seconds = MPI_Wtime() - begin;
	return MPI_Request_free(&request) == MPI_SUCCESS ? seconds : -1;
}
