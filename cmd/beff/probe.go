package main

import (
	"errors"
	"strings"
	"time"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/size"
	"github.com/effective-bandwidth/beff/probe"
)

// probeCommand is `beff probe`.
type probeCommand struct {
	Run  probeRun  `cmd:"" default:"withargs" help:"Measure kernels of the Intel MPI Benchmarks; run itself need not be written."`
	List probeList `cmd:"" help:"List the kernels: what they call, what their figures mean, whether they run here."`
}

// probeRun is `beff probe KERNEL…`.
type probeRun struct {
	Kernels     []string     `arg:"" optional:"" name:"kernel" help:"Names of kernels in any case, with Multi- for the multiple mode, or whole components: imb-mpi1, imb-ext, imb-io, imb-nbc, imb-rma (default: imb-mpi1). What IMB-EXT and IMB-RMA both have is that of the component of the other names, or told: ext:Accumulate, rma:Accumulate."`
	Ranks       *int         `short:"n" name:"ranks" placeholder:"P" help:"Ranks of the embedded engine (default: the cores, at least 2). Under mpirun or srun the launcher sets them."`
	Engine      string       `enum:"auto,mpi,local" default:"auto" help:"auto, mpi or local. Auto takes MPI under mpirun or srun, else the embedded engine (local)."`
	NPMin       *int         `name:"npmin" placeholder:"P" help:"The least active processes: kernels run on P, 2P, 4P, … and all (default: 2, of imb-io 1)."`
	Multi       *int         `placeholder:"0|1" help:"Several groups at once. 0: the slowest group is shown, 1: all are."`
	OffCache    *cacheSize   `placeholder:"SIZE[,LINE]" help:"Avoid the last level cache of that size, such as 32MiB, with lines of LINE bytes (default of LINE: 64)."`
	Iter        *imb.Iter    `placeholder:"N[,VOL[,NONAGGR[,POLICY]]]" help:"The most repetitions, the most that they move in units of 2^20 bytes, the most in non-aggregate mode (default: 1000,40,100; of imb-io 50,16,10)."`
	IterPolicy  probe.Policy `enum:"dynamic,multiple_np,auto,off" default:"dynamic" help:"How repetitions become fewer where they would take too long: dynamic, multiple_np, auto or off."`
	Time        *duration    `placeholder:"TIME" help:"How long a message length may take, such as 10s, or a number of seconds (default: 10)."`
	Memory      *size.Bytes  `name:"mem" placeholder:"SIZE" help:"Memory of a process for messages (default: 1GiB)."`
	MsgLog      *imb.Log     `name:"msglog" placeholder:"[MIN:]MAX" help:"Message lengths 0 and 2^MIN to 2^MAX bytes (default: 0:22, of imb-io 0:24)."`
	MsgLen      string       `name:"msglen" placeholder:"FILE" help:"Message lengths, one in a line."`
	Map         *imb.Grid    `placeholder:"PxQ" help:"Number the processes along the rows of a matrix."`
	Include     []string     `placeholder:"KERNEL" help:"Kernels besides those that are named or run by default."`
	Exclude     []string     `placeholder:"KERNEL" help:"Kernels that don't run."`
	Input       string       `placeholder:"FILE" help:"Names of kernels, one in a line."`
	ThreadLevel string       `enum:",single,funneled,serialized,multiple" default:"" placeholder:"LEVEL" help:"single, funneled, serialized or multiple: MPI_Init_thread instead of MPI_Init."`
	Megabyte    string       `name:"imb-mbytes" enum:"1e6,2^20" default:"1e6" help:"Bytes of a Mbyte in the text: 1e6 as in today's IMB, 2^20 as in the user's guide."`
	Directory   string       `short:"p" placeholder:"DIR" default:"." help:"Directory of the file system for the kernels of imb-io (default: the current one); all processes must see it. A scratch directory is made in it, and removed at the end."`
	DryRun      bool         `help:"Print what would be measured, and stop."`
	Output      *string      `short:"o" placeholder:"PREFIX" help:"Write PREFIX.json (everything), PREFIX.txt (IMB's text, which is printed too) and PREFIX.csv (a line for each row)."`
	about
	Force bool `help:"Overwrite existing output files."`
}

// cacheSize reads a size with a unit, and perhaps a comma and the bytes of a cache line.
type cacheSize imb.Cache

func (c *cacheSize) UnmarshalText(text []byte) error {
	first, line, two := strings.Cut(string(text), ",")
	var bytes, lineBytes size.Bytes = 0, probe.DefaultCacheLine
	if err := bytes.UnmarshalText([]byte(first)); err != nil {
		return err
	}
	if two {
		if err := lineBytes.UnmarshalText([]byte(line)); err != nil {
			return err
		}
	}
	if bytes < 1 || lineBytes < 1 {
		return errors.New("want a cache and a line of at least 1 byte")
	}
	*c = cacheSize{Size: int64(bytes), Line: int64(lineBytes)}
	return nil
}

// Run is called by the command line.
func (c *probeRun) Run(p *process) error {
	r, err := c.request()
	if err != nil {
		return err
	}
	return p.probe(r, c.about)
}

// request is what the flags ask for.
func (c *probeRun) request() (*imb.Request, error) {
	r := imb.New("")
	r.Names, r.Include, r.Exclude, r.Input, r.Lengths = c.Kernels, c.Include, c.Exclude, c.Input, c.MsgLen
	r.Ranks, r.Engine, r.ThreadLevel, r.Directory, r.Output, r.Force, r.DryRun = c.Ranks, c.Engine, c.ThreadLevel,
		c.Directory, c.Output, c.Force, c.DryRun
	s := &r.Settings
	s.Policy, s.Multi, s.MegaBytesOf2 = c.IterPolicy, c.Multi, c.Megabyte == "2^20"
	switch {
	case c.NPMin != nil && *c.NPMin < 1:
		return nil, misuse("--npmin %d: want at least 1 process", *c.NPMin)
	case c.Multi != nil && *c.Multi != 0 && *c.Multi != 1:
		return nil, misuse("--multi %d: want 0 or 1", *c.Multi)
	case c.Time != nil && *c.Time <= 0:
		return nil, misuse("--time: want more than no time")
	case c.Memory != nil && *c.Memory < 1:
		return nil, misuse("--mem: want at least 1 byte")
	case c.MsgLog != nil && c.MsgLen != "":
		return nil, misuse("--msglog and --msglen both give the message lengths: choose one")
	}
	if c.NPMin != nil {
		s.LeastProcs = *c.NPMin
	}
	if c.OffCache != nil {
		s.CacheSize, s.CacheLine = c.OffCache.Size, c.OffCache.Line
	}
	if c.Iter != nil {
		c.Iter.Set(s)
	}
	if c.Time != nil {
		s.SampleTime = time.Duration(*c.Time).Seconds()
	}
	if c.Memory != nil {
		s.Memory = int64(*c.Memory)
	}
	if c.MsgLog != nil {
		s.Lengths = c.MsgLog.Lengths()
	}
	if c.Map != nil {
		s.Map = []int{c.Map.P, c.Map.Q}
	}
	return r, nil
}
