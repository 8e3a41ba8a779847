#include "plugin.h"

#include <stddef.h>

int beff_form_type(int64_t n, beff_handle unit, int resized, int vector, beff_handle *out) {
	MPI_Datatype element = unit.type;
	int size, rc = MPI_Type_size(unit.type, &size);
	if (rc == MPI_SUCCESS && resized) rc = MPI_Type_create_resized(unit.type, size, 2 * size, &element);
	if (rc == MPI_SUCCESS && vector) {
		rc = MPI_Type_vector((int)n, 1, 1, element, &out->type);
		if (resized) MPI_Type_free(&element);
	} else {
		out->type = element;
	}
	return rc == MPI_SUCCESS ? MPI_Type_commit(&out->type) : rc;
}

// numbers returns how many numbers of `size` bytes are in `n` elements of a type, and sets `stride` to the distance
// from one number to the next, counted in numbers.
static int64_t numbers(MPI_Datatype type, int n, size_t size, int64_t *stride) {
	MPI_Aint low, extent;
	int bytes;
	MPI_Type_get_extent(type, &low, &extent);
	MPI_Type_size(type, &bytes);
	*stride = bytes > 0 ? extent / bytes : 1;
	return (int64_t)n * bytes / (int64_t)size;
}

#define LARGER(a, b) ((a) > (b) ? (a) : (b))
#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
#define ADDED(a, b) ((a) + (b))

// Reductions of numbers with gaps between them. The standard's own reductions only take basic types (MPI 4.1, 6.9.2).
#define COMBINE(T, NAME, OF) \
	static void NAME##_##T(void *in, void *into, int *n, MPI_Datatype *type) { \
		const T *a = in; \
		T *b = into; \
		int64_t stride, all = numbers(*type, *n, sizeof(T), &stride); \
		for (int64_t i = 0; i < all * stride; i += stride) b[i] = OF(a[i], b[i]); \
	}
#define COMBINE_ALL(T) COMBINE(T, sum, ADDED) COMBINE(T, max, LARGER) COMBINE(T, min, SMALLER)

COMBINE_ALL(int32_t)
COMBINE_ALL(int64_t)
COMBINE_ALL(float)
COMBINE_ALL(double)
COMBINE_ALL(int8_t)

int beff_form_reduction(int type, int reduction, beff_handle *out) {
	static MPI_User_function *const all[beff_types][beff_reductions] = {
		{NULL, NULL, NULL},
		{sum_int32_t, max_int32_t, min_int32_t},
		{sum_int64_t, max_int64_t, min_int64_t},
		{sum_float, max_float, min_float},
		{sum_double, max_double, min_double},
		{sum_int8_t, max_int8_t, min_int8_t},
	};
	return all[type][reduction] ? MPI_Op_create(all[type][reduction], 1, &out->reduce) : MPI_ERR_TYPE;
}

int beff_reduction_free(beff_handle reduction) { return MPI_Op_free(&reduction.reduce); }
