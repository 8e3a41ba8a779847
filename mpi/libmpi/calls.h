// The calls outside of loop.c: they are rare, or take so long that a function call doesn't matter.
#ifndef BEFF_CALLS_H
#define BEFF_CALLS_H

#include "loop.h"

// beff_exploit multiplies a 100x100 matrix with a vector, `times` times.
void beff_exploit(int64_t times);

// beff_collective makes the collective call c. A nonblocking one opens its request.
int beff_collective(beff_program *p, const beff_call *c);

// beff_one_sided makes the window call c. Rput and Rget open their request.
int beff_one_sided(beff_program *p, const beff_call *c);

// beff_window_create and beff_window_free are collective. They return MPI_ERR_WIN if the window exists already, or
// doesn't exist. beff_window_allocate makes a window of w->size zeroed bytes, and sets w->memory.
int beff_window_create(beff_window *w);
int beff_window_allocate(beff_window *w);
int beff_window_free(beff_window *w);

// beff_strided_type makes a type of `count` runs of `length` bytes whose starts are `stride` bytes apart.
// beff_pieces_type makes one of runs of any lengths at any places.
int beff_strided_type(int count, int length, MPI_Aint stride, MPI_Datatype *type);
int beff_pieces_type(int count, const int *lengths, const MPI_Aint *places, MPI_Datatype *type);

// Calls of an open file. beff_file_move moves data and sets the status. beff_file_start opens a request. beff_file_act
// does neither.
int beff_file_move(const beff_call *c, MPI_Status *status);
int beff_file_start(const beff_call *c, MPI_Request *request);
int beff_file_act(const beff_call *c);

// beff_file_open and beff_file_close are collective over the file's communicator.
int beff_file_open(beff_file *f);
int beff_file_close(beff_file *f);

#endif
