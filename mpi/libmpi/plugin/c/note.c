#include "build.h" // written when a plug-in is built
#include "plugin.h"

// The families of libraries (Note in note.go).
#if defined(BEFF_SHMEM)
#define FAMILY "OpenSHMEM"
#elif defined(MPI_ABI_VERSION) && MPI_ABI_VERSION > 0
#define FAMILY "standard ABI"
#elif defined(OPEN_MPI)
#define FAMILY "Open MPI"
#elif defined(MPICH_VERSION) || defined(MVAPICH2_VERSION) || defined(MVAPICH_VERSION) || defined(I_MPI_VERSION)
#define FAMILY "MPICH"
#else
#define FAMILY ""
#endif

const char beff_note[] = BEFF_MARK "\n" BEFF_VERSION "\n" FAMILY "\n" BEFF_WRAPPER "\n";
