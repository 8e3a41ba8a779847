package tune

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// MPICH is a library whose rules are trees of conditions.
type MPICH struct {
	names  map[string][]string // of algorithms, by collective
	own    tree                // by which the library chooses algorithms, without rules
	device tree                // by which its device chooses how nodes work together; nil: it has none
}

// tree is an object of JSON whose members are conditions in the order in which they are tried, with what follows if one
// holds.
type tree []branch

type branch struct {
	when string
	then tree
}

// inLibrary is what begins the trees in a library's file. They end with a zero byte.
const inLibrary = `{"collective=`

// NewMPICH returns the library in a file, which has its trees and the names of its algorithms in it.
func NewMPICH(file []byte) (*MPICH, error) {
	l := &MPICH{names: map[string][]string{}}
	for _, text := range bytes.Split(file, []byte{0}) {
		if !bytes.HasPrefix(text, []byte(inLibrary)) {
			continue
		}
		var err error
		switch {
		case bytes.Contains(text, []byte("composition=")):
			l.device, err = parsed(text)
		case bytes.Contains(text, []byte("algorithm=MPIR_")):
			l.own, err = parsed(text)
		}
		if err != nil {
			return nil, fmt.Errorf("the library's own rules: %w", err)
		}
	}
	if l.own == nil {
		return nil, errors.New("the library's file doesn't hold rules of its own: it is older than MPICH 4, or changed")
	}
	for _, c := range Collectives {
		for _, m := range regexp.MustCompile(`algorithm=MPIR_`+c.Name+`_intra_(\w+)`).FindAllSubmatch(file, -1) {
			if name := string(m[1]); !slices.Contains(l.names[c.Name], name) && !slices.Contains(narrow, name) {
				l.names[c.Name] = append(l.names[c.Name], name)
			}
		}
		slices.Sort(l.names[c.Name])
	}
	return l, nil
}

// parsed reads a tree.
func parsed(text []byte) (tree, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	return members(d, 0)
}

// mostDepth of a tree: those of libraries have ten levels.
const mostDepth = 100

// members reads what follows a brace, up to the one that closes it.
func members(d *json.Decoder, depth int) (t tree, err error) {
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		open, err := d.Token()
		if err != nil {
			return nil, err
		}
		if when, is := key.(string); is && open == json.Delim('{') && depth < mostDepth {
			then, err := members(d, depth+1)
			if err != nil {
				return nil, err
			}
			t = append(t, branch{when, then})
			continue
		}
		return nil, fmt.Errorf("%v isn't followed by an object", key)
	}
	_, err = d.Token()
	return t, err
}

// write writes the tree as JSON, with a line for each condition.
func (t tree) write(b *bytes.Buffer, indent string) {
	if len(t) == 0 {
		b.WriteString("{}")
		return
	}
	b.WriteString("{\n")
	for i, x := range t {
		fmt.Fprintf(b, "%s  %q: ", indent, x.when)
		x.then.write(b, indent+"  ")
		if i < len(t)-1 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
	}
	b.WriteString(indent + "}")
}

// Name implements Library.
func (*MPICH) Name() string { return "MPICH" }

// narrow are algorithms that serve some calls alone: those of all nodes' processes, or in place, or on a power of two.
var narrow = []string{"smp", "pairwise_sendrecv_replace", "noncommutative"}

// Algorithms implements Library. A single one is no choice.
func (l *MPICH) Algorithms(c *Collective) (list []Algorithm) {
	names := l.names[c.Name]
	if c.key == "" && c.OfAll || len(names) < 2 {
		return nil
	}
	for _, name := range names {
		list = append(list, Algorithm{Name: name})
	}
	return list
}

// Force implements Library. None of the variables is fit: one of them holds for all lengths, and an algorithm that a
// call can't have ends the job, also where the program around the measurement makes that call. So a file forces it.
func (*MPICH) Force(*Collective, Algorithm) []string { return nil }

// Ends of the names of files: of algorithms, and of compositions of the device.
const (
	treeEnding   = ".json"
	deviceEnding = "-ch4.json"
)

// Use implements Library. A variable that forces an algorithm would come before the files.
func (l *MPICH) Use(prefix string, rules []Rule) (list []string) {
	list = append(list, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="+prefix+treeEnding)
	if l.device != nil {
		list = append(list, "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE="+prefix+deviceEnding)
	}
	for _, c := range Collectives {
		if len(sizes(rules, c.Name)) > 0 {
			list = append(list, "MPIR_CVAR_"+strings.ToUpper(c.Name)+"_INTRA_ALGORITHM=auto")
		}
	}
	return list
}

// Files implements Library. A file replaces all that the library has, so each is the library's own tree, where
// conditions of the rules stand before its own. In a spoiled one each rule names an algorithm of another collective.
func (l *MPICH) Files(rules []Rule, spoiled bool) (map[string][]byte, error) {
	algorithms, device := l.own, l.device
	for i := range Collectives {
		c := &Collectives[i]
		if len(sizes(rules, c.Name)) == 0 {
			continue
		}
		var err error
		algorithms, err = algorithms.with(c, rules, c.guards, func(r Rule, own tree) tree {
			leaf := tree{{"algorithm=MPIR_" + c.Name + "_intra_" + r.Algorithm.Name, nil}}
			switch {
			case spoiled && c.Name == "Barrier":
				return tree{{"algorithm=MPIR_Bcast_intra_binomial", nil}}
			case spoiled:
				return tree{{"algorithm=MPIR_Barrier_intra_dissemination", nil}}
			case strings.Contains(r.Algorithm.Name, "reduce_scatter"):
				return tree{{enough[0], own}, {enough[1], leaf}}
			}
			return leaf
		})
		if err != nil {
			return nil, err
		}
		if l.device == nil || c.flat == "" {
			continue
		}
		device, err = device.with(c, rules, nil, func(Rule, tree) tree {
			return tree{{"composition=" + c.flat, nil}}
		})
		if err != nil {
			return nil, err
		}
	}
	files := map[string][]byte{}
	for ending, t := range map[string]tree{treeEnding: algorithms, deviceEnding: device} {
		if t != nil {
			var b bytes.Buffer
			t.write(&b, "")
			b.WriteByte('\n')
			files[ending] = b.Bytes()
		}
	}
	return files, nil
}

// with returns the tree with rules of a collective before its own conditions. Leaf returns what a rule leads to.
func (t tree) with(c *Collective, rules []Rule, guards [][2]string, leaf func(r Rule, own tree) tree) (tree, error) {
	at := []string{"collective=" + strings.ToLower(c.Name), "comm_type=intra"}
	return t.changed(at, func(own tree) tree {
		made := tree{}
		for _, n := range sizes(rules, c.Name) {
			made = append(made, branch{fmt.Sprintf("comm_size<%d", n), own},
				branch{fmt.Sprintf("comm_size<=%d", n), c.byLength(Of(rules, c.Name, n), own, leaf)})
		}
		made = append(made, branch{"comm_size=any", own})
		for _, g := range guards {
			made = tree{{g[0], own}, {g[1], made}}
		}
		return made
	})
}

// byLength returns the conditions on lengths of rules for as many processes.
func (c *Collective) byLength(rules []Rule, own tree, leaf func(r Rule, own tree) tree) (made tree) {
	if c.key == "" {
		return leaf(rules[0], own)
	}
	next := int64(0)
	for _, r := range rules {
		factor := int64(1)
		if c.blocked {
			factor = int64(r.Processes)
		}
		if r.From*factor > next {
			made = append(made, branch{fmt.Sprintf("%s<%d", c.key, r.From*factor), own})
		}
		next = r.Below * factor
		made = append(made, branch{fmt.Sprintf("%s<%d", c.key, next), leaf(r, own)})
	}
	return append(made, branch{c.key + "=any", own})
}

// changed returns the tree with another one at a place, which is made of that which was there.
func (t tree) changed(at []string, change func(tree) tree) (tree, error) {
	i := slices.IndexFunc(t, func(b branch) bool { return b.when == at[0] })
	if i < 0 {
		return nil, fmt.Errorf("the library's own rules have no %s", at[0])
	}
	list := slices.Clone(t)
	if len(at) == 1 {
		list[i].then = change(t[i].then)
		return list, nil
	}
	var err error
	list[i].then, err = t[i].then.changed(at[1:], change)
	return list, err
}
