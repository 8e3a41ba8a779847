// A stand-in for the library that Cray MPICH needs for a device's memory. It prints whether MPI was loaded before it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

__attribute__((constructor)) static void loaded(void) {
	fprintf(stderr, "GTL loaded %s MPI\n", dlsym(RTLD_DEFAULT, "MPI_Init") ? "after" : "before");
}
