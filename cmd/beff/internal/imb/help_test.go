package imb

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/probe/kernel"
)

// helpOf2021 has the options that -help of each binary of IMB 2021.11 lists, with a value each, and options that only
// its sources have: in builds for GPUs, and two spellings of today's documentation.
var helpOf2021 = map[kernel.Component]string{
	kernel.MPI1: "-thread_level funneled, -input list, -include a, -exclude a, -npmin 2, -multi 0, -window_size 64, " +
		"-off_cache -1, -iter 1000, -iter_policy auto, -time 0.15, -mem 0.2, -msglen list, -msgsize 1024, -map 2x1, " +
		"-msglog 3:7, -root_shift on, -sync off, -imb_barrier on, -data_type int, -red_data_type int, " +
		"-contig_type resize, -zero_size off, -warm_up off, -msg_pause on, " +
		"-mem_alloc_type device, -data_type_for_reduction int, -show_tail yes",
	kernel.EXT: "-thread_level single, -input list, -include a, -exclude a, -npmin 2, -multi 1, -off_cache 2.5, " +
		"-iter 1000,100, -iter_policy off, -time 1, -aggregate_mode aggregate, -mem 1, -msglen list, -map 2x1, " +
		"-msglog 7, -imb_barrier off, -warm_up on, -msg_pause off",
	kernel.IO: "-thread_level serialized, -input list, -include a, -exclude a, -npmin 2, -multi 1, -off_cache " +
		"16,128, -iter 1000,40,150, -iter_policy dynamic, -time 1, -aggregate_mode non_aggregate, -mem 1, " +
		"-msglen list, -map 2x1, -msglog 7, -imb_barrier 1, -warm_up 0, -msg_pause enable",
	kernel.NBC: "-thread_level multiple, -input list, -include a, -exclude a, -npmin 2, -multi 1, -off_cache -1, " +
		"-iter 10, -iter_policy multiple_np, -time 1, -mem 1, -msglen list, -map 2x1, -msglog 7, -root_shift yes, " +
		"-sync no, -imb_barrier disable, -zero_size on, -warm_up true, -msg_pause false",
	kernel.MPI4: "-thread_level single, -input list, -include a, -exclude a, -npmin 2, -multi 1, -off_cache -1, " +
		"-iter 10, -iter_policy dynamic, -time 1, -mem 1, -msglen list, -map 2x1, -msglog 7, -root_shift on, " +
		"-sync off, -imb_barrier on, -zero_size off, -warm_up off, -msg_pause on, -mem_alloc_type device",
	kernel.RMA: "-thread_level nompinit, -input list, -include a, -exclude a, -npmin 2, -multi 1, -off_cache -1, " +
		"-iter 10, -iter_policy dynamic, -time 1, -aggregate_mode multi, -mem 1, -msglen list, -map 2x1, -msglog 7, " +
		"-root_shift on, -sync on, -imb_barrier off, -warm_up on, -msg_pause off, -mem_alloc_type host",
	kernel.P2P: "-iter 100, -iter 100,10, -msglen list, -msglog 7, -msglog 3:7, -msgsz 4097, -msgsz 2G, " +
		"-msgrd false, -msgwr disable, -pause 10, -MsgLog 3:7",
	kernel.MT: "-thread_level multiple, -input list, -include a, -exclude a, -stride 1, -warmup 5, -repeat 10, " +
		"-window_size 16, -barrier special, -count 1,2, -malloc_align 64, -malloc_algo parallel, -check true, " +
		"-noheader, -datatype char",
}

// Every option of every binary is taken, alone and with all others, and docs/studies/imb.md has a row for it.
func TestOptionsOf2021(t *testing.T) {
	page, err := os.ReadFile("../../../../docs/studies/imb.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "## Options")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n## ")
	for c, options := range helpOf2021 {
		var all []string
		for option := range strings.SplitSeq(options+", -list, -help", ", ") {
			args := strings.Fields(option)
			_, err := Parse(c, args)
			require.NoError(t, err, "%s %s", c, option)
			require.Contains(t, strings.ToLower(table), "`"+strings.ToLower(args[0]), "docs/studies/imb.md")
			all = append(all, args...)
		}
		_, err := Parse(c, all)
		require.NoError(t, err, c)
	}
}
