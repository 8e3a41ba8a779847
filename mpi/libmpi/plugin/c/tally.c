// Histograms of the times of laps (mpi.Tally).
#include "calls.h"

// keep adds a lap to the longest ones, and replaces the shortest of them if there is no room.
static void keep(beff_tally *t, beff_slow lap) {
	int at = t->nslowest;
	if (at < BEFF_SLOWEST) t->nslowest++;
	else for (at = 0; t->slowest[at].seconds > t->least;) at++;
	t->slowest[at] = lap;
	t->least = lap.seconds;
	for (int i = 0; i < t->nslowest; i++)
		if (t->slowest[i].seconds < t->least) t->least = t->slowest[i].seconds;
}

void beff_count(beff_tally *t, beff_slow lap) {
	double ps = lap.seconds * 1e12;
	int64_t v = ps > 0 ? ps < 0x1p63 ? (int64_t)(ps + 0.5) : INT64_MAX : 0;
	int shift = 53 - __builtin_clzll((uint64_t)v | 1024);
	t->counts[(shift << 10) + (v >> shift)]++;
	t->sum += (double)v;
	if (t->n++ == 0 || v < t->min) t->min = v;
	if (v > t->max) t->max = v;
	if (t->nslowest < BEFF_SLOWEST || lap.seconds > t->least) keep(t, lap);
}
