package doctor

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/effective-bandwidth/beff/internal/input"
	"github.com/effective-bandwidth/beff/rating"
)

// identityDir is where Linux has the names that a machine's maker gave it.
const identityDir = "/sys/class/dmi/id"

// WriteSystem drafts a system.yaml: the facts of this job, and comments for those that only people know.
func (f *Facts) WriteSystem(w io.Writer) error {
	var b strings.Builder
	b.WriteString("# Put it next to the results as system.yaml. What a run finds itself comes first in reports.\n" +
		"# yaml-language-server: $schema=https://effective-bandwidth.github.io/beff/schema/system-1.json\n")
	v := reflect.ValueOf(f.system(identityDir))
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("yaml")
		if v.Field(i).IsZero() {
			fmt.Fprintf(&b, "# %s:\n", name)
			continue
		}
		text, err := json.Marshal(v.Field(i).Interface()) // JSON is YAML
		if err != nil {
			return fmt.Errorf("system.yaml: %w", err)
		}
		fmt.Fprintf(&b, "%s: %s\n", name, text)
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("stdout: %w", err)
	}
	return nil
}

// system returns what the job shows of its system. dir has the names that the maker gave the first host.
func (f *Facts) system(dir string) rating.System {
	read := func(name string) string {
		const most = 4 << 10
		text, _ := input.ReadAll(filepath.Join(dir, name), most) // absent on some machines
		return strings.TrimSpace(string(text))
	}
	s := rating.System{Vendor: read("sys_vendor"), Model: read("product_name"), Nodes: len(f.layout.Placement),
		FileSystem: f.directory.Type}
	for _, p := range f.layout.Placement {
		s.PerNode = max(s.PerNode, p.Processes)
	}
	if s.Nodes > 0 {
		s.Memory = int(f.layout.Total / int64(s.Nodes) >> 30)
	}
	if len(f.env.Nodes) > 0 {
		s.Processor, s.Interconnect = f.env.Nodes[0].CPU, strings.Join(f.env.Nodes[0].Network, "; ")
	}
	if f.library.Kind().Distributed {
		s.MPI = strings.TrimSpace(f.library.Library + " " + f.library.Version)
	}
	return s
}
