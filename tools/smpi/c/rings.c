/* Times the exchanges of rings in a simulated MPI job: smpirun ... rings PATTERNS LOOPS LENGTH...
 *
 * PATTERNS has a name on a line of its own for each pattern, and then a line with the left and the right neighbor of
 * each process. Each process sends to its left neighbor while it receives from its right one, and then the other way
 * around unless both are the same process (the 2001 paper, Sec. 3). Prints a line for each pattern, method and length,
 * with the seconds of a loop in the slowest process: the mean over the second LOOPS of 2 LOOPS loops. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int exchanges(const int *to) { return to[0] == to[1] ? 1 : 2; }

static void sendrecv(char *send, char *recv, int length, const int *to)
{
    for (int i = 0; i < exchanges(to); i++)
        MPI_Sendrecv(send, length, MPI_BYTE, to[i], i, recv, length, MPI_BYTE, to[1 - i], i, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void nonblocking(char *send, char *recv, int length, const int *to)
{
    MPI_Request r[4];
    int n = exchanges(to);
    for (int i = 0; i < n; i++)
        MPI_Irecv(recv + (size_t)i * length, length, MPI_BYTE, to[1 - i], i, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < n; i++)
        MPI_Isend(send, length, MPI_BYTE, to[i], i, MPI_COMM_WORLD, &r[n + i]);
    MPI_Waitall(2 * n, r, MPI_STATUSES_IGNORE);
}

static const struct {
    const char *name;
    void (*exchange)(char *send, char *recv, int length, const int *to);
} methods[] = {{"sendrecv", sendrecv}, {"nonblocking", nonblocking}};

/* Returns the seconds of a loop of the slowest process, on process 0. */
static double time_of(int method, char *send, char *recv, int length, const int *to, int loops)
{
    double begin = 0, middle = 0, end = 0, most;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2 * loops; i++) {
        if (i == loops)
            middle = MPI_Wtime();
        methods[method].exchange(send, recv, length, to);
    }
    end = MPI_Wtime();
    begin = (end - middle) / loops;
    MPI_Reduce(&begin, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

int main(int argc, char **argv)
{
    int rank, size, loops;
    char name[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *f = argc > 3 ? fopen(argv[1], "r") : NULL;
    if (!f) {
        fprintf(stderr, "rings: want PATTERNS LOOPS LENGTH...\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    loops = atoi(argv[2]);
    size_t most = 0;
    for (int i = 3; i < argc; i++)
        if ((size_t)atol(argv[i]) > most)
            most = atol(argv[i]);
    char *send = SMPI_SHARED_MALLOC(2 * most), *recv = SMPI_SHARED_MALLOC(2 * most);
    while (fscanf(f, "%63s", name) == 1) {
        int to[2] = {0, 0}, line[2];
        for (int i = 0; i < size; i++) {
            if (fscanf(f, "%d %d", &line[0], &line[1]) != 2)
                MPI_Abort(MPI_COMM_WORLD, 2);
            if (i == rank)
                to[0] = line[0], to[1] = line[1];
        }
        for (int method = 0; method < 2; method++)
            for (int i = 3; i < argc; i++) {
                double t = time_of(method, send, recv, atoi(argv[i]), to, loops);
                if (rank == 0)
                    printf("%s %s %s %.9g\n", name, methods[method].name, argv[i], t);
            }
    }
    MPI_Finalize();
    return 0;
}
