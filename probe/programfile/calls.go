package programfile

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/mpi"
)

// operand is a key of a call.
type operand int

const (
	of       operand = 1 << iota // the place that data leave
	into                         // the place that data enter
	to                           // the rank that a message goes to
	from                         // the rank that a message comes from
	root                         // the rank that a collective call has as root
	optag                        // of a message
	reduce                       // the operation of a reduction: sum, max or min
	optype                       // the elements of a reduction: int32, int64, float32 or float64
	as                           // a name for the request that the call opens
	request                      // the name of the request that the call completes
	times                        // products of Exploit
	micros                       // microseconds of Compute
	atRank                       // the rank whose window is accessed
	eachOf                       // of is a place for each rank, which has the name peer
	eachInto                     // into is one
	result                       // the place that what the window held enters
	compare                      // the place of the value that the window's is compared with
)

// key is an operand as users write it. An optional one may be left out.
type key struct {
	operand  operand
	name     string
	optional bool
}

var operandNames = []key{
	{of, "of", false}, {into, "into", false}, {to, "to", false}, {from, "from", false}, {root, "root", true},
	{optag, "tag", true}, {reduce, "reduce", true}, {optype, "type", true}, {as, "as", true},
	{request, "request", false}, {times, "times", false}, {micros, "microseconds", false}, {atRank, "at", false},
	{result, "result", false}, {compare, "compare", false},
}

// forms has the operands of the calls that a file may have, by their names.
var forms = map[string]operand{
	"nop": 0, "compute": micros, "exploit": times, "copy": of | into, "reduce_local": of | into | reduce | optype,
	"send": of | to | optag, "ssend": of | to | optag, "rsend": of | to | optag, "isend": of | to | optag | as,
	"recv": into | from | optag, "irecv": into | from | optag | as, "sendrecv": of | to | into | from | optag,
	"wait": request, "waitall": 0,
	"barrier": 0, "dupfree": 0, "bcast": of | into | root,
	"gather": of | into | root, "scatter": of | into | root, "allgather": of | into, "alltoall": of | into,
	"gatherv": of | into | root | eachInto, "scatterv": of | into | root | eachOf, "allgatherv": of | into | eachInto,
	"alltoallv": of | into | eachOf | eachInto,
	"reduce":    of | into | root | reduce | optype, "allreduce": of | into | reduce | optype,
	"reduce_scatter": of | into | reduce | optype | eachOf, "reduce_scatter_block": of | into | reduce | optype,
	"put": of | into | atRank, "get": of | into | atRank, "rput": of | into | atRank | as,
	"rget":             of | into | atRank | as,
	"accumulate":       of | into | atRank | reduce | optype,
	"get_accumulate":   of | into | result | atRank | reduce | optype,
	"fetch_and_op":     of | into | result | atRank | reduce | optype,
	"compare_and_swap": of | compare | into | result | atRank | optype,
	"file_write_at":    of | into, "file_write_at_all": of | into, "file_iwrite_at": of | into | as,
	"file_read_at": of | into, "file_read_at_all": of | into, "file_iread_at": of | into | as, "file_sync": 0,
	"win_fence": 0, "win_lock": atRank, "win_unlock": atRank, "win_lock_all": 0, "win_unlock_all": 0,
	"win_flush": atRank, "win_flush_local": atRank, "win_flush_all": 0, "win_flush_local_all": 0, "win_sync": 0,
}

// call is a kind of call that a file may have.
type call struct {
	name     string
	op       mpi.Op
	operands operand
}

// calls returns the calls by their names in lower case without MPI_: those of the vocabulary that have a form, and the
// nonblocking ones of collective calls.
var calls = func() map[string]call {
	all := map[string]call{}
	for _, op := range mpi.Ops() {
		name := nameOf(op)
		form, ok := forms[name]
		if op.Family() == mpi.NonblockingCollective {
			if form, ok = forms[name[1:]]; ok {
				form |= as
			}
		}
		if ok {
			all[name] = call{name, op, form}
		}
	}
	return all
}()

// nameOf returns the name of a call as files have it.
func nameOf(op mpi.Op) string { return strings.ToLower(strings.TrimPrefix(op.String(), "MPI_")) }

// node is an item of a list of calls: a call, or a list that is repeated or that has a condition.
type node struct {
	line int
	call call
	// Operands: places, and expressions by operand.
	of, into  place
	result    place // of calls on windows that bring what was there
	compare   place
	exprs     map[operand]*expr
	kind      mpi.Type
	reduction mpi.Reduction
	request   string // that it opens or completes

	each        string // name of the loop; empty: none
	first, last *expr
	when        *expr // nil: no condition
	do          []node
}

// list reads a list of calls.
func (r *reader) list(n *yaml.Node) ([]node, error) {
	if r.depth++; r.depth > deepest {
		return nil, r.wrong(n, "nested too deeply")
	}
	defer func() { r.depth-- }()
	if n.Kind != yaml.SequenceNode {
		return nil, r.wrong(n, "want a list of calls")
	}
	var all []node
	for _, item := range n.Content {
		x, err := r.item(item)
		if err != nil {
			return nil, err
		}
		all = append(all, x)
	}
	return all, nil
}

// item reads an item of a list of calls.
func (r *reader) item(n *yaml.Node) (node, error) {
	if n.Kind == yaml.ScalarNode {
		return r.callOf(n, n.Value, nil)
	}
	pairs, err := r.pairs(n)
	if err != nil {
		return node{}, err
	}
	for _, p := range pairs {
		if p.key == "each" || p.key == "when" {
			return r.block(n, p.key)
		}
	}
	if len(pairs) != 1 {
		return node{}, r.wrong(n, "want one call, such as barrier, or {send: {of: out, to: right}}")
	}
	return r.callOf(pairs[0].at, pairs[0].key, pairs[0].value)
}

// block reads a list of calls that is repeated or that has a condition.
func (r *reader) block(n *yaml.Node, key string) (x node, err error) {
	x.line = n.Line
	keys, err := r.mapping(n, key, "do")
	if err != nil {
		return x, err
	}
	if keys["do"] == nil {
		return x, r.wrong(n, "%s without do", key)
	}
	head := keys[key]
	if key == "when" {
		if x.when, _, err = r.expr(head, 0); err != nil {
			return x, err
		}
		x.do, err = r.list(keys["do"])
		return x, err
	}
	if head.Kind != yaml.ScalarNode {
		return x, r.wrong(head, "want a loop such as \"k in 0 .. size-1\"")
	}
	if x, _, err = parse(head.Value, r.names, 0, r.loop(head.Line)); err != nil {
		return x, r.wrong(head, "%w", err)
	}
	if err := r.newName(head, x.each); err != nil {
		return x, err
	}
	r.names.add(x.each, usesLoop)
	defer r.names.drop()
	x.do, err = r.list(keys["do"])
	return x, err
}

// loop is the rule "NAME in FIRST .. LAST".
func (r *reader) loop(line int) func(p *parser) (node, error) {
	return func(p *parser) (x node, err error) {
		x.line = line
		if x.each, err = p.takeWord(); err != nil {
			return x, err
		}
		if err := p.take("in"); err != nil {
			return x, err
		}
		first, err := p.expression(levelOr)
		if err == nil {
			err = p.take("..")
		}
		if err != nil {
			return x, err
		}
		last, err := p.expression(levelOr)
		x.first, x.last = &expr{"", line, first}, &expr{"", line, last}
		return x, err
	}
}

// callOf reads a call.
func (r *reader) callOf(at *yaml.Node, name string, operands *yaml.Node) (x node, err error) {
	x.line = at.Line
	lower := strings.TrimPrefix(strings.ToLower(name), "mpi_")
	known := false
	if x.call, known = calls[lower]; !known {
		return x, r.wrong(at, "unknown call %q%s", name, r.near(lower))
	}
	if operands != nil && operands.Kind == yaml.ScalarNode && x.call.operands == request {
		x.request = operands.Value
		return x, r.waits(at, x.request)
	}
	var pairs []pair
	if operands != nil && !(operands.Kind == yaml.ScalarNode && operands.Tag == "!!null") {
		if pairs, err = r.pairs(operands); err != nil {
			return x, err
		}
	}
	x.exprs = map[operand]*expr{}
	given := operand(0)
	for _, p := range pairs {
		i := slices.IndexFunc(operandNames, func(k key) bool {
			return k.name == p.key && x.call.operands&k.operand != 0
		})
		if i < 0 {
			return x, r.wrong(p.at, "%s has no %q%s", x.call.name, p.key, x.call.wants())
		}
		given |= operandNames[i].operand
		if err := r.operand(&x, operandNames[i].operand, p.value); err != nil {
			return x, err
		}
	}
	for _, o := range operandNames {
		if !o.optional && x.call.operands&o.operand != 0 && given&o.operand == 0 {
			return x, r.wrong(at, "%s: %q is missing%s", x.call.name, o.name, x.call.wants())
		}
	}
	if x.call.operands&optype != 0 && given&optype == 0 {
		x.kind = mpi.Float32
		if x.call.op == mpi.CompareAndSwap {
			x.kind = mpi.Int32 // no numbers of floating point (MPI 4.1, 12.3.4)
		}
	}
	if err := r.onFile(at, &x); err != nil {
		return x, err
	}
	return x, r.onWindow(at, &x)
}

// wants names a call's operands.
func (c call) wants() string {
	var names []string
	for _, o := range operandNames {
		if c.operands&o.operand != 0 {
			names = append(names, o.name)
		}
	}
	if len(names) == 0 {
		return ": it takes none"
	}
	return ": it takes " + strings.Join(names, ", ")
}

// near names the calls that begin alike.
func (r *reader) near(name string) string {
	var all []string
	for known := range calls {
		if name != "" && (strings.HasPrefix(known, name[:1]) || strings.Contains(known, name)) {
			all = append(all, known)
		}
	}
	slices.Sort(all)
	if len(all) == 0 {
		return ": send, recv, sendrecv, isend, irecv, wait, waitall, copy and collective calls can be written"
	}
	return ": there are " + strings.Join(all, ", ")
}

// types and reductions by their names in files.
var (
	types = map[string]mpi.Type{"int32": mpi.Int32, "int64": mpi.Int64, "float32": mpi.Float32,
		"float64": mpi.Float64}
	reductions = map[string]mpi.Reduction{"sum": mpi.Sum, "max": mpi.Max, "min": mpi.Min}
)

// operand reads the value of an operand.
func (r *reader) operand(x *node, o operand, n *yaml.Node) (err error) {
	known := true
	switch o {
	case of, into:
		target, each := &x.of, eachOf
		if o == into {
			target, each = &x.into, eachInto
		}
		if x.call.operands&each != 0 {
			r.names.add("peer", usesLoop)
			defer r.names.drop()
		}
		*target, err = r.place(n)
		return err
	case result:
		x.result, err = r.place(n)
		return err
	case compare:
		x.compare, err = r.place(n)
		return err
	case optype:
		x.kind, known = types[n.Value]
	case reduce:
		x.reduction, known = reductions[n.Value]
	case as:
		x.request = n.Value
		if known = len(r.requests) < mostNames && n.Value != ""; known {
			r.requests = append(r.requests, n.Value)
		}
	case request:
		x.request = n.Value
		return r.waits(n, n.Value)
	default:
		x.exprs[o], _, err = r.expr(n, 0)
		return err
	}
	if n.Kind != yaml.ScalarNode || !known {
		return r.wrong(n, "%s: %q is none of %s", x.call.name, n.Value, choices(o))
	}
	return nil
}

// choices returns the values of an operand.
func choices(o operand) string {
	switch o {
	case optype:
		return "float32, float64, int32, int64"
	case reduce:
		return "sum, max, min"
	}
	return fmt.Sprintf("at most %d names", mostNames)
}

// waits returns an error if no call before has a name.
func (r *reader) waits(n *yaml.Node, name string) error {
	if !slices.Contains(r.requests, name) {
		return r.wrong(n, "wait: no call before is named %q (isend: {…, as: %s})", name, name)
	}
	return nil
}

// fill finds which areas calls only send from, and the types of areas that reductions work on.
func (r *reader) fill(list []node) {
	sent, received := map[int]bool{}, map[int]bool{}
	walk(list, func(x *node) {
		if x.call.operands&of != 0 {
			sent[x.of.area] = true
			if x.kind != mpi.Byte {
				r.file.Areas[x.of.area].Type = x.kind
			}
		}
		if x.call.operands&into != 0 {
			received[x.into.area] = true
		}
		if x.call.operands&result != 0 {
			received[x.result.area] = true
		}
		if x.call.operands&compare != 0 {
			sent[x.compare.area] = true
			r.file.Areas[x.compare.area].Type = x.kind
		}
	})
	for i := range r.file.Areas {
		r.file.Areas[i].Filled = sent[i] && !received[i] && i != r.file.File
	}
}
