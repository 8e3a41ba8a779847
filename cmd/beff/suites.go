package main

import (
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/lists"
	"github.com/effective-bandwidth/beff/probe"
	"github.com/effective-bandwidth/beff/probe/kernel"
	"github.com/effective-bandwidth/beff/report"
	gpcnettext "github.com/effective-bandwidth/beff/report/format/gpcnet"
	imbtext "github.com/effective-bandwidth/beff/report/format/imb"
	"github.com/effective-bandwidth/beff/report/format/live"
	loadtext "github.com/effective-bandwidth/beff/report/format/load"
	mdtesttext "github.com/effective-bandwidth/beff/report/format/mdtest"
	mpiblibtext "github.com/effective-bandwidth/beff/report/format/mpiblib"
	osutext "github.com/effective-bandwidth/beff/report/format/osu"
	"github.com/effective-bandwidth/beff/report/ofprobe"
	"github.com/effective-bandwidth/beff/report/parts"
)

// suiteCommand is what the program has of suites: a command with their grammar, and their text.
type suiteCommand struct {
	name, help string
	command    func() any         // the command, or several as fields, with what their types don't hold; nil: none
	of         []kernel.Component // suites that the command is for
	called     string             // how the names of programs begin that the command stands for: a link has the rest
	text       live.Maker         // nil: the text is IMB's
	// fits reports whether the text is meant for a result; nil: it is if all kernels are of the suites, and no series.
	fits func(r *probe.Result, kernels []probe.Selection) bool
}

// suiteCommands has a row for each command of suites, and one for a text without a command. The text of a command is a
// format of beff report by its name.
var suiteCommands = []suiteCommand{
	{name: "imb", help: "${imb}", command: newIMBCommands, called: "imb-"},
	{name: "osu", help: "${osu}", command: func() any { return osuCommand{} }, of: []kernel.Component{kernel.OSU},
		called: "osu_", text: osutext.New},
	{name: "mdtest", help: "${mdtest}", command: func() any { return mdtestCommand{} }, called: "mdtest",
		text: mdtesttext.New, fits: mdtesttext.Fits},
	{name: "mpiblib", help: "${mpiblib}", command: func() any { return mpiblibCommand{} }, called: "mpiblib-",
		text: mpiblibtext.New, fits: mpiblibtext.Fits},
	{name: "gpcnet", help: "${gpcnet}", command: func() any { return gpcnetCommand{} },
		of: []kernel.Component{kernel.Load}, text: gpcnettext.New, fits: gpcnettext.Fits},
	{name: "load", text: loadtext.New, fits: loadtext.Fits},
}

// commandsOfSuites returns a struct with a field for each row, from which kong makes commands.
func commandsOfSuites() any {
	var fields []reflect.StructField
	var commands []any
	for _, s := range suiteCommands {
		if s.command == nil {
			continue
		}
		command := s.command()
		commands = append(commands, command)
		fields = append(fields, reflect.StructField{Name: fmt.Sprintf("Suite%d", len(fields)),
			Type: reflect.TypeOf(command),
			Tag:  reflect.StructTag(fmt.Sprintf(`cmd:"" group:"measure" name:%q help:%q`, s.name, s.help))})
	}
	made := reflect.New(reflect.StructOf(fields))
	for i, command := range commands {
		made.Elem().Field(i).Set(reflect.ValueOf(command))
	}
	return made.Interface()
}

// commandLine returns the arguments of a program of this name: one that is called imb-mpi1, IMB-MPI1 and so on, such as
// by a link, is `beff imb mpi1`.
func commandLine(name string, args []string) []string {
	for _, s := range suiteCommands {
		rest, ok := strings.CutPrefix(strings.ToLower(filepath.Base(name)), s.called)
		if s.called == "" || !ok {
			continue
		}
		if rest == "" {
			return append([]string{s.name}, args...)
		}
		return append([]string{s.name, rest}, args...)
	}
	return args
}

// ownGrammar is a command whose words kong doesn't read.
type ownGrammar interface {
	take(words []string)
	// usage lists the options, or explains those of the names.
	usage(p *process, node *kong.Node, names []string) error
}

// ownLetters is an ownGrammar whose options are letters, so that flags of the command have no short names there.
type ownLetters interface{ letters() }

// apart takes those words out of a command line that a grammar of its own is for: all but flags of the command, whose
// values are words of their own or follow an equals sign. It returns the command that they are for, nil if it is no
// other one.
func apart(app *kong.Application, line []string) (c ownGrammar, rest, words []string) {
	node := app.Node
	first := 0
	for ; first < len(line); first++ {
		i := slices.IndexFunc(node.Children, func(n *kong.Node) bool { return n.Name == line[first] })
		if i < 0 {
			break
		}
		node = node.Children[i]
	}
	c, is := node.Target.Addr().Interface().(ownGrammar)
	if !is {
		return nil, line, nil
	}
	rest = slices.Clone(line[:first])
	_, letters := c.(ownLetters)
	for i := first; i < len(line); i++ {
		name, _, joined := strings.Cut(line[i], "=")
		at := slices.IndexFunc(node.Flags, func(f *kong.Flag) bool {
			return name == "--"+f.Name || f.Short != 0 && !letters && line[i] == "-"+string(f.Short)
		})
		if at < 0 {
			words = append(words, line[i])
			continue
		}
		rest = append(rest, line[i])
		if i+1 < len(line) && !joined && !node.Flags[at].IsBool() {
			i++
			rest = append(rest, line[i])
		}
	}
	return c, rest, words
}

// textOf returns the row whose text a run of kernels has: that of their suite if all are of one. It is nil for IMB's,
// which series and several groups at once have.
func textOf(r *probe.Result, kernels []probe.Selection) *suiteCommand {
	for s := range lists.Elements(suiteCommands) {
		if s.fits != nil {
			if s.fits(r, kernels) {
				return s
			}
			continue
		}
		if r.Settings.InSeries() {
			continue // the columns of IMB's text have the intervals
		}
		other := func(k probe.Selection) bool { return k.Multi || !slices.Contains(s.of, k.Kernel.Component) }
		if s.text != nil && len(kernels) > 0 && !slices.ContainsFunc(kernels, other) {
			return s
		}
	}
	return nil
}

// liveText returns the text that a run of kernels prints.
func liveText(r *probe.Result, kernels []probe.Selection) live.Text {
	if s := textOf(r, kernels); s != nil {
		return s.text(r, kernels)
	}
	return imbtext.NewWriter(r, kernels)
}

// probeReport is a report of a probe with the texts of suites.
type probeReport struct{ ofprobe.Report }

// Texts returns the formats of the benchmark alone, and that of the result's suite. The file that a run keeps has the
// text that it prints.
func (r probeReport) Texts() []parts.Text {
	list := r.Report.Texts()
	if r.Result == nil {
		return list
	}
	s := textOf(r.Result, live.Selections(r.Result))
	if s == nil {
		return list
	}
	text := func(w io.Writer) error { return live.Write(w, r.Result, s.text) }
	list[slices.IndexFunc(list, func(t parts.Text) bool { return t.Kept && t.Ending == ".txt" })].Write = text
	if s.command != nil {
		list = append(list, parts.Text{Name: s.name, Ending: "." + s.name, Write: text})
	}
	return list
}

// textsOf returns the formats of a result's benchmark alone.
func textsOf(f *report.File) []parts.Text {
	if r := f.Probe(); r != nil {
		return probeReport{ofprobe.Report{Result: r}}.Texts()
	}
	return f.Texts()
}

// suiteTexts returns the formats of suites, by which their commands are called.
func suiteTexts() (list []parts.Text) {
	for _, s := range suiteCommands {
		if s.text != nil && s.command != nil {
			list = append(list, parts.Text{Name: s.name, Ending: "." + s.name})
		}
	}
	return list
}
