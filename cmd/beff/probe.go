package main

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/exit"
	"github.com/effective-bandwidth/beff/cmd/beff/internal/imb"
)

// probeCommand is `beff probe`.
type probeCommand struct {
	Run  probeRun  `cmd:"" default:"withargs" help:"${probe_run}"`
	List probeList `cmd:"" help:"${probe_list}"`
	Tree probeTree `cmd:"" help:"${probe_tree}"`
}

// probeRun is `beff probe KERNEL…`.
type probeRun struct {
	Kernels []string `arg:"" optional:"" name:"kernel" help:"${probe_kernels}"`
	Options any      `embed:""` // a struct with a field for each row of imb's table of options
	about
}

// newProbeRun returns the command with the flags of the table.
func newProbeRun() probeRun {
	return probeRun{Options: reflect.New(flagStruct(imb.Options(imb.Beff))).Interface()}
}

// flagStruct returns the type from which kong makes options: it takes flags from the fields of a struct, so that help,
// completion and man pages know them as they know all others. Values stay text, which the table reads.
func flagStruct(options []*imb.Option) reflect.Type {
	var fields []reflect.StructField
	for i, o := range options {
		field := reflect.StructField{Name: fmt.Sprintf("Option%d", i), Type: reflect.TypeFor[*string]()}
		switch {
		case o.List:
			field.Type = reflect.TypeFor[[]string]()
		case o.Value == "":
			field.Type = reflect.TypeFor[bool]()
		case o.Choices != nil && o.Default != "":
			field.Type = reflect.TypeFor[string]()
		}
		tag := map[string]string{
			"name": o.Flag(), "short": o.Short, "help": o.Explain(imb.Beff), "placeholder": o.Value, "xor": o.Excepts,
		}
		if o.Choices != nil {
			tag["enum"] = strings.Join(o.Choices, ",")
			if o.Default != "" {
				tag["default"], tag["placeholder"] = o.Default, "" // kong shows the default in its place
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
func (c *probeRun) Run(p *process, line *kong.Context) error {
	r, err := c.request(line.Path)
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	asked, err := c.request(given(line))
	if err != nil {
		return exit.With(exit.Usage, err)
	}
	return p.probe(r, c.about, asked.Asks())
}

// request returns what the steps of a command line ask for. Flags are taken in their order, as IMB's are.
func (c *probeRun) request(line []*kong.Path) (*imb.Request, error) {
	r := imb.New("")
	for _, name := range c.Kernels {
		if err := r.Name(name); err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
	}
	table := map[string]*imb.Option{}
	for _, o := range imb.Options(imb.Beff) {
		table[o.Flag()] = o
	}
	for _, step := range line {
		if step.Flag == nil || table[step.Flag.Name] == nil {
			continue
		}
		o := table[step.Flag.Name]
		delete(table, o.Flag()) // the flag has the last of its values, or all of them
		for _, value := range flagValues(step.Flag) {
			if err := o.Set(r, imb.Beff, "--"+o.Flag(), value); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// flagValues returns the values that a flag was given; of a switch, an empty one if it is on.
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
