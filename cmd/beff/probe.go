package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/config"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/flow"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/launch"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/probing"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
	"github.com/effective-bandwidth/beff/mpi"
	"github.com/effective-bandwidth/beff/mpi/job"
)

// probeCommand is `beff probe`. Run is the default, which has no name and gets the rest of the line.
type probeCommand struct {
	Run  probeRun  `cmd:"" name:" " default:"withargs" help:"${probe}"`
	List probeList `cmd:"" group:"find" help:"${probe_list}"`
	Keys probeKeys `cmd:"" group:"find" help:"${probe_keys}"`
	Tree probeTree `cmd:"" group:"find" help:"${probe_tree}"`
}

// probeRun is `beff probe KERNEL…`.
type probeRun struct {
	Kernels    []string `arg:"" optional:"" name:"kernel" help:"${probe_kernels}"`
	File       string   `short:"f" placeholder:"FILE" group:"kernels" help:"${probe_file}"`
	Option     []string `placeholder:"KEY=VALUE" sep:"none" group:"kernels" help:"${probe_option}"`
	Options    any      `embed:""` // a struct with a field for each flag of imb's table of options
	flow.Flags `set:"output=${probe_output}"`
	flow.Modelled
}

// newProbeRun returns the command with a flag for each option of imb's table that has a group.
func newProbeRun() probeRun {
	return probeRun{Options: reflect.New(flagStruct(imb.Options(imb.Beff))).Interface()}
}

// flagStruct returns the struct type for options. kong creates flags from the fields of structs, so help, completion
// and man pages know these flags like all others. Values stay text, which the table parses.
func flagStruct(options []*imb.Option) reflect.Type {
	var fields []reflect.StructField
	for i, o := range options {
		if o.Group == "" {
			continue
		}
		field := reflect.StructField{Name: fmt.Sprintf("Option%d", i), Type: reflect.TypeFor[*string]()}
		switch {
		case o.List, o.Repeatable:
			field.Type = reflect.TypeFor[[]string]()
		case o.Value == "":
			field.Type = reflect.TypeFor[bool]()
		case o.Choices != nil && o.Default != "":
			field.Type = reflect.TypeFor[string]()
		}
		tag := map[string]string{
			"name": o.Flag(), "short": o.Short, "help": o.Explain(imb.Beff), "placeholder": o.Value, "xor": o.Excludes,
			"group": o.Group,
		}
		if o.Repeatable {
			tag["sep"] = "none"
		}
		if o.Choices != nil {
			tag["enum"] = strings.Join(o.Choices, ",")
			if o.Default != "" {
				tag["default"], tag["placeholder"] = o.Default, "" // kong shows the default instead
			}
		}
		for key, text := range tag {
			if text != "" {
				field.Tag += reflect.StructTag(fmt.Sprintf("%s:%q ", key, text))
			}
		}
		fields = append(fields, field)
	}
	return reflect.StructOf(fields)
}

// Run is called by the command line.
func (c *probeRun) Run(p *process.Process, line *kong.Context) error {
	r, err := c.request(line.Path)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if r.Unnamed() && c.Resume == nil {
		fmt.Fprintf(p.Stderr, "%s\n\n", line.Selected().Detail)
		return exit.Misuse("probe: want a kernel: beff probe list shows all, beff help probe explains the flags")
	}
	asked, err := c.request(flow.Given(line))
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	if err := c.setFlags(line, r.Flagged); err != nil {
		return err
	}
	return probing.Measure(p, r, c.Flags, c.Modelled, asked.Asks())
}

// setFlags sets flags that are keys of a campaign file to the file's values, unless they are on the command line.
func (c *probeRun) setFlags(line *kong.Context, values []config.Value) error {
	for _, v := range values {
		f := flagsOf(line.Selected(), "processes")[v.Flag]
		if slices.ContainsFunc(flow.Given(line), func(step *kong.Path) bool { return step.Flag == f }) {
			continue
		}
		if err := v.Put(f, f.Target); err != nil {
			return exit.Misuse("%s: %s: %w", v.File, v.Flag, err)
		}
	}
	return nil
}

// flagsOf returns the flags of a command in a group of its help, by name.
func flagsOf(node *kong.Node, group string) map[string]*kong.Flag {
	list := map[string]*kong.Flag{}
	for _, f := range node.Flags {
		if f.Group != nil && f.Group.Key == group {
			list[f.Name] = f
		}
	}
	return list
}

// request makes a request from the steps of a command line. It sets the values of beff.toml first, then the campaign
// file's, and then the flags in their order, as in IMB. Kernels in the line replace the kernels of the file.
func (c *probeRun) request(line []*kong.Path) (*probing.Request, error) {
	r := probing.NewRequest("")
	for _, step := range line {
		if step.Command != nil {
			r.Flags = slices.Sorted(maps.Keys(flagsOf(step.Command, "processes")))
		}
	}
	table := map[string]*imb.Option{}
	for _, o := range imb.Options(imb.Beff) {
		table[o.Flag()] = o
	}
	set := func(resolved bool) error {
		for _, step := range line {
			if step.Flag == nil || step.Resolved != resolved {
				continue
			}
			setValue := func(value string) error { return imb.SetKey(r, value) }
			if o := table[step.Flag.Name]; o != nil {
				delete(table, o.Flag()) // the flag has the last of its values, or all of them
				setValue = func(value string) error { return o.Set(r, imb.Beff, "--"+o.Flag(), value) }
			} else if step.Flag.Name != "option" {
				continue
			}
			for _, value := range flagValues(step.Flag) {
				if err := setValue(value); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := set(true); err != nil {
		return nil, err
	}
	if slices.ContainsFunc(line, func(step *kong.Path) bool { return step.Flag != nil && step.Flag.Name == "file" }) {
		if err := imb.ReadCampaign(r, c.File); err != nil {
			return nil, fmt.Errorf("campaign: %w", err)
		}
	}
	if len(c.Kernels) > 0 {
		r.Names = nil
	}
	for _, name := range c.Kernels {
		if err := r.Name(name); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	return r, set(false)
}

// probeKeys is `beff probe keys`.
type probeKeys struct{}

// Run is called by the command line. It prints a campaign file with all keys, as comments.
func (c *probeKeys) Run(p *process.Process, line *kong.Context) error {
	var b strings.Builder
	fmt.Fprint(&b, "# A campaign of beff probe -f FILE.\n\n# Kernels.\n"+
		"# kernels = [\"PingPong\", \"Allreduce\"]\n")
	for _, o := range imb.Keys() {
		value := strconv.Quote(o.Example)
		if o.Value == "" {
			value = "true"
		}
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", o.Explain(imb.Beff), o.Flag(), value)
	}
	for _, f := range line.Selected().Parent.DefaultCmd.Flags {
		if f.Group != nil && f.Group.Key == "processes" && !imb.LoadsCode(f.Name) {
			fmt.Fprintf(&b, "\n# %s\n# %s = %q\n", f.Help, f.Name, cmp.Or(f.Default, f.PlaceHolder))
		}
	}
	_, err := io.WriteString(p.Stdout, b.String())
	return err
}

// flagValues returns the values given to a flag. A switch that is on has one empty value.
func flagValues(f *kong.Flag) []string {
	switch v := f.Target.Interface().(type) {
	case *string:
		return []string{*v}
	case string:
		return []string{v}
	case []string:
		return v
	case bool:
		if v {
			return []string{""}
		}
	}
	return nil
}

// probeList is `beff probe list`.
type probeList struct {
	Engine string `enum:"auto,mpi,local,openshmem" default:"auto" help:"Show the abilities of one of ${enum}. ${auto}"`
	MPI    string `name:"mpi" placeholder:"NAME" help:"${mpi}"`
}

// Run is called by the command line.
func (c *probeList) Run(p *process.Process) error {
	choice := launch.Choice{Engine: c.Engine, MPI: c.MPI}
	return p.Start(choice, nil, 1, func(e mpi.Engine) error {
		return job.Do(e.World(), func() error { return probing.List(p.Stdout, e) })
	})
}

// probeTree is `beff probe tree`.
type probeTree struct {
	Name   string  `arg:"" help:"${probe_tree_name}"`
	Ranks  *int    `name:"ranks" short:"n" placeholder:"P" help:"Draw for P ranks (default the number of blocks)."`
	Root   int     `placeholder:"R" help:"Take this rank as root (default 0)."`
	Blocks []int64 `placeholder:"BYTES" help:"${probe_tree_blocks}"`
	Format string  `enum:"text,dot" default:"text" help:"${probe_tree_format}"`
}

// Run is called by the command line.
func (c *probeTree) Run(p *process.Process) error {
	t := &probing.Tree{Name: c.Name, Ranks: c.Ranks, Root: c.Root, Blocks: c.Blocks, Dot: c.Format == "dot"}
	return t.Draw(p.Stdout)
}
