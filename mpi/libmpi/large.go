package libmpi

import (
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/libmpi/plugin"
)

// large fills in the arguments of one side of a collective call with large counts. It counts elements in reductions,
// otherwise bytes.
func (r *runner) large(out *plugin.Side, places []mpi.Place, parts mpi.Parts, op mpi.Op, size int) (err error) {
	if parts == mpi.Whole {
		unit := int64(1)
		if op.Reduces() {
			out.Type, unit = r.basic(places[0].Type), places[0].Type.Size()
		}
		out.LargeCount = places[0].Length / unit
		return nil
	}
	var counts, displs []int64
	if out.LargeCounts, counts, err = array[int64](r, size); err != nil {
		return err
	}
	if out.LargeDispls, displs, err = array[int64](r, size); err != nil {
		return err
	}
	for _, p := range places {
		counts[p.Peer], displs[p.Peer] = p.Length, p.Offset-places[0].Offset
	}
	return nil
}
