package parts_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/parts"
)

// A variable has its own meaning, or the meaning of the longest pattern that matches its name.
func TestMeaning(t *testing.T) {
	for name, want := range map[string]string{"UCX_TLS": "transports",
		"OMPI_MCA_btl_vader_eager_limit":          "longest message",
		"OMPI_MCA_coll_tuned_allreduce_algorithm": "forces", "MPIR_CVAR_BCAST_INTRA_ALGORITHM": "forces",
		"FI_CXI_RX_MATCH_MODE": "matching", "FI_CXI_ODP": "Slingshot"} {
		require.Contains(t, parts.Meaning(name), want, name)
	}
	require.Empty(t, parts.Meaning("UCX_"))
	require.Empty(t, parts.Meaning("processor"))
}

// A library doesn't read another library's variables, unless it is derived from that library.
func TestUnread(t *testing.T) {
	for _, c := range []struct {
		name, library string
		want          bool
	}{
		{"OMPI_MCA_pml", "MPICH", true}, {"OMPI_MCA_pml", "Open MPI", false}, {"OMPI_MCA_pml", "Spectrum MPI", false},
		{"MPIR_CVAR_NOLOCAL", "Open MPI", true}, {"MPIR_CVAR_NOLOCAL", "Intel(R) MPI Library", false},
		{"MPIR_CVAR_NOLOCAL", "MVAPICH2", false}, {"I_MPI_PIN", "MPICH", true}, {"UCX_TLS", "MPICH", false},
	} {
		require.Equal(t, c.want, parts.Unread(c.name, c.library), "%s, %s", c.name, c.library)
	}
}

// A comparison explains variables that differ, as far as they are known.
func TestVariablesExplained(t *testing.T) {
	with := func(v ...rating.Variable) rating.Circumstances {
		return rating.Circumstances{Environment: &rating.Environment{Container: "x", Variables: v}}
	}
	names := []string{"A", "B"}
	made := parts.Sections(parts.EnvironmentsDiffer(names, []rating.Circumstances{with(),
		with(rating.Variable{Name: "UCX_TLS", Value: "tcp"})}))
	require.Len(t, made, 1)
	text := cells(made[0])
	require.Contains(t, text, "UCX_TLS")
	require.Equal(t, document.List{"UCX_TLS: " + parts.Meaning("UCX_TLS")}, made[0].Blocks[1])
	made = parts.Sections(parts.EnvironmentsDiffer(names, []rating.Circumstances{with(),
		with(rating.Variable{Name: "NUMACTL_X", Value: "1"})}))
	require.Len(t, made, 1)
	require.Len(t, made[0].Blocks, 1)
}

// cells returns the heads and cells of a section's tables.
func cells(s document.Section) (list []string) {
	for _, b := range s.Blocks {
		t, is := b.(*document.Table)
		if !is {
			continue
		}
		for _, c := range t.Columns {
			list = append(list, c.Name)
		}
		for _, row := range t.Rows {
			for _, c := range row {
				list = append(list, c.Text)
			}
		}
	}
	return list
}
