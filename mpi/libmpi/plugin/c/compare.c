#include "calls.h"

#include <string.h>

// differ records the first 8 bytes between `begin` and `end` of a chunk that differ from the wanted ones, if there is
// room for another wrong chunk.
static void differ(beff_program *prog, const beff_place *p, int64_t loop, int64_t chunk, const char *want,
                   const char *have, int64_t begin, int64_t end) {
	int64_t at = begin, size;
	if (prog->nwrongs == BEFF_WRONGS) return;
	while (at + 8 < end && memcmp(want + at, have + at, 8) == 0) at += 8;
	size = end - at < 8 ? end - at : 8;
	beff_wrong *w = prog->wrongs + prog->nwrongs++;
	*w = (beff_wrong){(int)(p - prog->places), 0, loop, chunk, at, 0, 0};
	memcpy(&w->expected, want + at, size);
	memcpy(&w->found, have + at, size);
}

void beff_compare(beff_program *prog, const beff_place *from, const beff_place *p, int64_t loop) {
	uint64_t value = p->key + (uint64_t)loop * p->per_loop;
	int64_t c = 0, width = p->width;
	for (int64_t at = 0; at < p->length; at += p->chunk, value += p->per_chunk, c++) {
		int ends = p->chunk >= 2 * width;
		uint64_t last = ~value;
		int64_t begin = width, end = ends ? p->chunk - width : p->chunk;
		const char *want = from->addr + at, *have = p->addr + at;
		if (begin >= end || memcmp(want + begin, have + begin, end - begin) == 0) continue;
		if (width && (memcmp(have, &value, width) || (ends && memcmp(have + end, &last, width)))) continue;
		prog->wrong++;
		differ(prog, p, loop, c, want, have, begin, end);
	}
}
