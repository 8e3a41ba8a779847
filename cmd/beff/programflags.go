package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/alecthomas/kong"

	"github.com/effective-bandwidth/beff/cmd/beff/internal/process"
)

// writeFlags adds beff's own flags to the table of a program's options, and prints the text that the table belongs to.
func writeFlags(p *process.Process, s *strings.Builder, w *tabwriter.Writer, node *kong.Node) error {
	for _, f := range node.Flags {
		name := f.Name
		if !f.IsBool() {
			name += " " + f.FormatPlaceHolder()
		}
		fmt.Fprintf(w, "  --%s\t%s\n", name, f.Help)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := io.WriteString(p.Stdout, s.String())
	return err
}
