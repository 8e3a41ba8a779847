package watch

import (
	"fmt"
	"slices"
	"strings"

	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
	"github.com/effective-bandwidth/beff/rating"
)

// Names knows the hosts of all ranks, in the form of job.Fold. It searches for a host at each call, because a large job
// has many ranks and calls are rare.
type Names []job.Placement

// Host returns the name of a rank's host, empty if it isn't known.
func (n Names) Host(rank int) string {
	for _, p := range n {
		if host, has := p.HostOf(rank); has {
			return host
		}
	}
	return ""
}

// maxPartners limits the number of partners that a text names.
const maxPartners = 4

// Call describes the call of a snapshot: "MPI_Sendrecv with rank 4 on n1, 65536 bytes, loop 17", or "MPI_File_read on
// /scratch/f, 1024 bytes, loop 3". It is empty if the process is in no call.
func (n Names) Call(s mpi.Snapshot) string {
	if s.Call == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(s.Call)
	if s.Path != "" {
		b.WriteString(" on " + s.Path)
	}
	for i, rank := range s.With {
		switch {
		case i == maxPartners:
			fmt.Fprintf(&b, " and %d more", len(s.With)-i)
		case i > maxPartners:
		case i == 0:
			fmt.Fprintf(&b, " with rank %d on %s", rank, n.Host(rank))
		default:
			fmt.Fprintf(&b, ", rank %d on %s", rank, n.Host(rank))
		}
	}
	if s.Bytes > 0 {
		fmt.Fprintf(&b, ", %d bytes", s.Bytes)
	}
	if s.Loop >= 0 {
		fmt.Fprintf(&b, ", loop %d", s.Loop+1)
	}
	return b.String()
}

// Lines returns a line for each wait. Ranks of one host that wait in the same call share a line.
func Lines(waits []rating.Wait) []string {
	type group struct {
		wait  rating.Wait
		ranks []int
	}
	var groups []group
	for _, w := range waits {
		i := slices.IndexFunc(groups, func(g group) bool {
			same := g.wait
			same.Rank, same.Since = w.Rank, w.Since
			mine := w
			same.Seconds, mine.Seconds = 0, 0
			return same == mine && int(g.wait.Seconds) == int(w.Seconds)
		})
		if i < 0 {
			groups, i = append(groups, group{wait: w}), len(groups)
		}
		groups[i].ranks = append(groups[i].ranks, w.Rank)
	}
	lines := make([]string, len(groups))
	for i, g := range groups {
		lines[i] = g.wait.Words()
		if one := fmt.Sprintf("rank %d ", g.wait.Rank); len(g.ranks) > 1 {
			lines[i] = "ranks " + job.Ranges(g.ranks) + " " + strings.TrimPrefix(lines[i], one)
		}
	}
	return lines
}
