//go:build mpi

// Package baseline holds loops written by hand in C, as any MPI benchmark has them. The overhead of programs is
// measured against them.
package baseline

/*
#include <mpi.h>

static double beff_ping_pong(char *send, char *recv, int length, int peer, long loops) {
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
static double beff_marked_ping_pong(char *sendbuf, char *recvbuf, long size, int length, int peer, long loops) {
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
*/
import "C"

import "unsafe"

// PingPong runs loops of a plain ping-pong of length bytes with rank peer. It returns seconds, negative if a call
// failed.
func PingPong(send, recv []byte, length, peer int, loops int64) float64 {
	return float64(C.beff_ping_pong(pointer(send), pointer(recv), C.int(length), C.int(peer), C.long(loops)))
}

// MarkedPingPong is PingPong with walked buffers and marks. It returns a negative number if a call failed or a mark was
// wrong.
func MarkedPingPong(send, recv []byte, length, peer int, loops int64) float64 {
	return float64(C.beff_marked_ping_pong(pointer(send), pointer(recv), C.long(len(send)), C.int(length), C.int(peer),
		C.long(loops)))
}

func pointer(b []byte) *C.char { return (*C.char)(unsafe.Pointer(unsafe.SliceData(b))) }
