package machine

import (
	"bytes"
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Error is a fault of a file, in one line.
type Error struct {
	File string
	Line int    // from 1; 0 if not known
	Key  string // with dots; empty for the file as a whole
	Text string
}

func (e *Error) Error() string {
	where := e.File
	if e.Line > 0 {
		where += fmt.Sprintf(":%d", e.Line)
	}
	if e.Key != "" {
		where += ": " + e.Key
	}
	return where + ": " + e.Text
}

// MaxText is the length of the longest file that is read, in bytes. YAML takes a hundred times as much memory.
const MaxText = 1 << 19

// Parse reads a machine from the text of a file with a name, after applying settings such as link.bandwidth*=2. An
// error is an *Error.
func Parse(file string, text []byte, settings ...string) (*Machine, error) {
	if len(text) > MaxText {
		return nil, &Error{File: file, Text: fmt.Sprintf("longer than %d bytes", MaxText)}
	}
	root := &yaml.Node{}
	if err := yaml.Load(text, root); err != nil {
		return nil, yamlError(file, err)
	}
	if root.Kind == yaml.DocumentNode && len(root.Content) == 1 {
		root = root.Content[0]
	}
	if root.Kind != yaml.MappingNode {
		return nil, &Error{File: file, Text: "not a machine: want keys such as name, endpoint and topology"}
	}
	for _, s := range settings {
		if err := set(root, s); err != nil {
			return nil, &Error{File: "--set " + s, Text: err.Error()}
		}
	}
	m := &Machine{file: file, root: root}
	if err := read(root, reflect.ValueOf(m).Elem(), ""); err != nil {
		err.File = file
		return nil, err
	}
	if key, err := m.check(); err != nil {
		return nil, m.Fault(key, "%v", err)
	}
	return m, nil
}

// yamlError returns the error of a text that isn't YAML.
func yamlError(file string, err error) *Error {
	if one := (*yaml.LoadError)(nil); errors.As(err, &one) {
		return &Error{File: file, Line: one.Mark.Line, Text: "no YAML: " + one.Message}
	}
	return &Error{File: file, Text: "no YAML: " + err.Error()}
}

// read reads a node into a struct, whose fields' tags give the keys.
func read(n *yaml.Node, into reflect.Value, path string) *Error {
	if n.Kind != yaml.MappingNode {
		return &Error{Line: n.Line, Key: strings.TrimSuffix(path, "."), Text: "want keys and values"}
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		fault := func(format string, args ...any) *Error {
			return &Error{Line: key.Line, Key: path + key.Value, Text: fmt.Sprintf(format, args...)}
		}
		field, names := fieldOf(into, key.Value)
		switch {
		case seen[key.Value]:
			return fault("it occurs twice")
		case !field.IsValid():
			return fault("unknown key: want %s", strings.Join(names, ", "))
		}
		seen[key.Value] = true
		if field.Kind() == reflect.Struct {
			if err := read(value, field, path+key.Value+"."); err != nil {
				return err
			}
			continue
		}
		if err := value.Decode(field.Addr().Interface()); err != nil {
			return fault("%s", reason(err))
		}
	}
	return nil
}

// reason returns an error of the YAML library in one line, without the place.
func reason(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	text := strings.TrimSpace(lines[len(lines)-1])
	if places := place.FindAllStringIndex(text, -1); places != nil {
		text = text[places[len(places)-1][1]:]
	}
	return text
}

// place matches the place in an error of the YAML library.
var place = regexp.MustCompile(`line \d+: `)

// fieldOf returns the field with a key, which is invalid if there is none, and the names of all keys.
func fieldOf(s reflect.Value, key string) (field reflect.Value, names []string) {
	for i := range s.NumField() {
		name, _, _ := strings.Cut(s.Type().Field(i).Tag.Get("yaml"), ",")
		if name == "" {
			continue
		}
		names = append(names, name)
		if name == key {
			field = s.Field(i)
		}
	}
	return field, names
}

// line returns the line of a key with dots, or the line of a key above it if the key is missing.
func line(root *yaml.Node, path string) int {
	at, found := root, 0
	for key := range strings.SplitSeq(path, ".") {
		k, v := child(at, key)
		if k == nil {
			break
		}
		if at = v; k.Line > 0 {
			found = k.Line
		}
	}
	return found
}

// child returns the nodes of a key and of its value.
func child(n *yaml.Node, key string) (k, v *yaml.Node) {
	if n.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i], n.Content[i+1]
		}
	}
	return nil, nil
}

// set changes a value: key=value, key*=factor or key/=factor. Factors keep the unit.
func set(root *yaml.Node, setting string) error {
	path, value, ok := strings.Cut(setting, "=")
	operation := byte('=')
	if ok && path != "" && strings.ContainsAny(path[len(path)-1:], "*/") {
		path, operation = path[:len(path)-1], path[len(path)-1]
	}
	if !ok || path == "" || value == "" {
		return errors.New("want key=value, key*=factor or key/=factor")
	}
	keys := strings.Split(path, ".")
	at := root
	for i, key := range keys {
		_, v := child(at, key)
		if v == nil {
			if operation != '=' {
				return fmt.Errorf("%s isn't in the file: want =value", strings.Join(keys[:i+1], "."))
			}
			v = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map"}
			if at.Kind != yaml.MappingNode {
				return fmt.Errorf("%s has no keys", strings.Join(keys[:i], "."))
			}
			at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, v)
		}
		at = v
	}
	if operation == '=' {
		var new yaml.Node
		if err := yaml.Load([]byte(value), &new); err != nil || len(new.Content) != 1 {
			return fmt.Errorf("%q is not a value", value)
		}
		*at = *new.Content[0]
		return nil
	}
	factor, err := strconv.ParseFloat(value, 64)
	number, unit, err2 := split(at.Value)
	if err = errors.Join(err, err2); err != nil || at.Kind != yaml.ScalarNode {
		return fmt.Errorf("%s or %s is not a number", path, value)
	}
	if operation == '/' {
		factor = 1 / factor
	}
	at.Value, at.Tag, at.Style = strings.TrimSpace(strconv.FormatFloat(number*factor, 'g', -1, 64)+" "+unit), "", 0
	return nil
}

// Text returns the machine as a file.
func (m *Machine) Text() (string, error) {
	var b bytes.Buffer
	d, err := yaml.NewDumper(&b, yaml.WithIndent(2))
	if err != nil {
		return "", err
	}
	err = d.Dump(m)
	return b.String(), errors.Join(err, d.Close())
}

// check returns the key of the first fault, and the fault.
func (m *Machine) check() (key string, err error) {
	positive := func(k string, v float64) {
		if err == nil && !(v > 0) {
			key, err = k, errors.New("it is missing or 0")
		}
	}
	positive("processes_per_node", float64(m.PerNode))
	positive("memory_per_process", float64(m.Memory))
	positive("endpoint.bandwidth", float64(m.Endpoint.Bandwidth))
	positive("link.bandwidth", float64(m.Link.Bandwidth))
	if err != nil {
		return key, err
	}
	for _, choice := range []struct {
		key, value string
		of         []string
	}{
		{"placement", m.Placement, []string{"", "block", "cyclic", "random", "list"}},
		{"link.duplex", m.Link.Duplex, []string{"", "full", "half"}},
		{"endpoint.progress", m.Endpoint.Progress, []string{"", "always", "calls"}},
		{"topology.kind", m.Topology.Kind, []string{"fat-tree", "torus", "dragonfly", "hyperx", "full", "graph"}},
		{"topology.routing", m.Topology.Routing, []string{"", "minimal", "adaptive"}},
	} {
		if !slices.Contains(choice.of, choice.value) {
			return choice.key, fmt.Errorf("%q: want %s", choice.value,
				strings.TrimPrefix(strings.Join(choice.of, ", "), ", "))
		}
	}
	for _, r := range []struct {
		key                string
		value, least, most float64
	}{
		{"nodes", float64(m.Nodes), 0, 1 << 30}, {"processes_per_node", float64(m.PerNode), 1, 1 << 20},
		{"endpoint.duplex", m.Endpoint.duplex(), 1, 2}, {"endpoint.ports", float64(m.Endpoint.Ports), 0, 1 << 10},
		{"topology.taper", m.Topology.taper(), 1, 1 << 10}, {"topology.radix", float64(m.Topology.Radix), 0, 1 << 16},
		{"topology.dimensions", float64(m.Topology.Dimensions), 0, 1 << 6},
		{"noise.sigma", m.Noise.Sigma, 0, 10}, {"noise.slow_part", m.Noise.SlowPart, 0, 1},
		{"noise.slow_factor", m.Noise.SlowFactor, 0, 1e6}, {"noise.slow_length", m.Noise.SlowLength, 0, 1e9},
		{"noise.slow_bandwidth", m.Noise.SlowBandwidth, 0, 1},
	} {
		if !(r.value >= r.least && r.value <= r.most) {
			return r.key, fmt.Errorf("%v: want %v to %v", r.value, r.least, r.most)
		}
	}
	for i, c := range m.Topology.Cables {
		for _, x := range []float64{c.Bandwidth, c.Latency} {
			if x != 0 && !(x >= 1e-6 && x <= 1e6) {
				return "topology.cables", fmt.Errorf("cables[%d]: %v: want 1e-06 to 1e+06, relative to a link", i, x)
			}
		}
	}
	if (m.Placement == "list") != (len(m.Hosts) > 0) {
		return "hosts", errors.New("placement: list needs hosts, and hosts need placement: list")
	}
	for i, l := range m.Lengths {
		if l.Bytes < 1 || !(l.Factor > 0) || i > 0 && l.Bytes <= m.Lengths[i-1].Bytes {
			return "lengths", fmt.Errorf("%d bytes, factor %v: want growing lengths and factors above 0", l.Bytes,
				l.Factor)
		}
	}
	return "", nil
}

// duplex returns the bandwidth of both directions as a multiple of one direction's.
func (e *Endpoint) duplex() float64 { return cmp.Or(e.Duplex, 2) }

// taper returns the ratio of cables below and above leaf switches.
func (t *Topology) taper() float64 { return cmp.Or(t.Taper, 1) }

// Parameter is a quantity of a machine that may be varied.
type Parameter struct{ Key, Value string }

// Parameters returns the times and bandwidths of the file that aren't 0, in its order.
func (m *Machine) Parameters() (list []Parameter) {
	for _, part := range []struct {
		key string
		of  any
	}{{"endpoint", m.Endpoint}, {"inside_node", m.Inside}, {"link", m.Link}} {
		_, values := child(m.root, part.key)
		if values == nil {
			continue
		}
		for i := 0; i+1 < len(values.Content); i += 2 {
			key, value := values.Content[i].Value, values.Content[i+1].Value
			field, _ := fieldOf(reflect.ValueOf(part.of), key)
			if k := field.Kind(); k == reflect.Float64 && field.Type().Name() != "float64" && field.Float() > 0 {
				list = append(list, Parameter{part.key + "." + key, value})
			}
		}
	}
	return list
}

//go:embed presets/*.yaml
var presets embed.FS

// Presets returns the names of the machines that come with the program.
func Presets() []string {
	files, err := fs.Glob(presets, "presets/*.yaml")
	if err != nil {
		panic(err) // the pattern is right
	}
	for i, f := range files {
		files[i] = strings.TrimSuffix(path.Base(f), ".yaml")
	}
	return files
}

// Preset returns the file of a machine that comes with the program.
func Preset(name string) ([]byte, error) {
	text, err := presets.ReadFile("presets/" + name + ".yaml")
	if err != nil {
		return nil, fmt.Errorf("no preset %q: there are %s", name, strings.Join(Presets(), ", "))
	}
	return text, nil
}
