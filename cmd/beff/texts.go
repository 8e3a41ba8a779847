package main

import "github.com/alecthomas/kong"

// texts are the help texts that are too long for the tag of a field.
var texts = kong.Vars{
	"compare_fail_below": "End with exit code 3 if any other result has less than RATIO times the first one's b_eff, " +
		"b_eff_io or, of probes, speed, such as 0.95.",
	"compare_results": "Two result files or more; the first is what the others are compared with.",
	"import":          "Turn output of b_eff_io release 2.1 or of the Intel MPI Benchmarks into a result document.",
	"import_file": "A .sum file of b_eff_io release 2.1, or the text output of the Intel MPI Benchmarks (IMB) " +
		"of any component; - for standard input.",
	"list_results": "Result files, or directories with results (*.json) in or below them.",
	"note":         "Anything a reader should know, such as the compiler, the network or the file system.",
	"probe":        "Measure the kernels of the Intel MPI Benchmarks, or list them; flags: beff probe run --help.",
	"probe_kernels": "Names of kernels in any case, with Multi- for the multiple mode, or whole components: " +
		"imb-mpi1, imb-ext, imb-io, imb-nbc, imb-rma (default: imb-mpi1). What IMB-EXT and IMB-RMA " +
		"both have is that of the component of the other names, or named with it: ext:Accumulate, " +
		"rma:Accumulate.",
	"probe_list": "List the kernels: what they call, what their figures mean, whether they run here.",
	"probe_list_engine": "auto, mpi or local: whose abilities are shown. Auto takes MPI under mpirun or srun, else " +
		"the embedded engine (local).",
	"probe_run":      "Measure kernels of the Intel MPI Benchmarks; run itself need not be written.",
	"publish_output": "Write files to this directory, which is made if missing (default: stdout).",
}
