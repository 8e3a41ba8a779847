package programfile

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/effective-bandwidth/beff/mpi"
)

// place reads "area" or "area[offset, length]".
func (r *reader) place(n *yaml.Node) (place, error) {
	if n.Kind != yaml.ScalarNode {
		return place{}, r.wrong(n, "want an area, such as in or \"in[0, bytes]\"")
	}
	x, _, err := parse(n.Value, r.names, 0, r.placeIn(n.Line))
	if err != nil {
		return place{}, r.wrong(n, "%w", err)
	}
	return x, nil
}

// placeIn is the rule of a place.
func (r *reader) placeIn(line int) func(p *parser) (place, error) {
	return func(p *parser) (x place, err error) {
		name, err := p.takeWord()
		if err != nil {
			return x, err
		}
		if x.area = r.area(name); x.area < 0 {
			return x, fmt.Errorf("unknown area %s", name)
		}
		if !p.is("[") {
			return x, nil
		}
		p.next()
		for i, part := range []**expr{&x.offset, &x.length} {
			of, err := p.expression(levelOr)
			if err == nil {
				err = p.take([]string{",", "]"}[i])
			}
			if err != nil {
				return x, err
			}
			*part = &expr{"", line, of}
		}
		return x, nil
	}
}

// area returns the index of an area, -1 if there is none of the name.
func (r *reader) area(name string) int {
	return slices.IndexFunc(r.file.Areas, func(a Area) bool { return a.Name == name })
}

// checks reads the comparisons.
func (r *reader) checks(n *yaml.Node) error {
	if n == nil {
		return nil
	}
	list := []*yaml.Node{n}
	if n.Kind == yaml.SequenceNode {
		list = n.Content
	}
	for _, item := range list {
		c, err := r.check(item)
		if err != nil {
			return err
		}
		r.file.checks = append(r.file.checks, c)
	}
	return nil
}

// check reads a comparison, perhaps as "that" beside the condition "when".
func (r *reader) check(n *yaml.Node) (c check, err error) {
	var when *expr
	if n.Kind == yaml.MappingNode {
		keys, err := r.mapping(n, "when", "that")
		if err != nil {
			return c, err
		}
		if when, err = r.optional(keys["when"], 0); err != nil {
			return c, err
		}
		if keys["that"] == nil {
			return c, r.wrong(n, "when without that")
		}
		n = keys["that"]
	}
	if n.Kind != yaml.ScalarNode {
		return c, r.wrong(n, "want a text such as \"in[0, bytes] == out[0, bytes] of left\"")
	}
	if c, _, err = parse(n.Value, r.names, 0, r.checkIn(n.Line)); err != nil {
		return c, r.wrong(n, "%w", err)
	}
	c.when = when
	return c, nil
}

// checkIn is the rule of a check: "PLACE == PLACE of RANK" or "PLACE == sum of PLACE".
func (r *reader) checkIn(line int) func(p *parser) (check, error) {
	return func(p *parser) (c check, err error) {
		c.line = line
		in := r.placeIn(line)
		if c.have, err = in(p); err != nil {
			return c, err
		}
		if err := p.take("=="); err != nil {
			return c, err
		}
		sum := p.is("sum") && len(p.rest) > 2 && p.rest[1].text == "of" && r.area(p.rest[2].text) >= 0
		if sum {
			p.rest = p.rest[2:]
		}
		if c.want, err = in(p); err != nil {
			return c, err
		}
		have, want := r.file.Areas[c.have.area], r.file.Areas[c.want.area]
		switch {
		case c.have.area == r.file.File || c.want.area == r.file.File:
			return c, fmt.Errorf("%s is the file: read it into memory, and check that", r.file.Areas[r.file.File].Name)
		case !want.Filled:
			return c, fmt.Errorf("%s has no data that are known: calls receive into it, or none sends from it",
				want.Name)
		case have.Filled:
			return c, fmt.Errorf("no call receives into %s", have.Name)
		case sum && want.Type == mpi.Byte:
			return c, fmt.Errorf("%s holds bytes: sums are of areas that a reduction sends from", want.Name)
		case sum:
			return c, nil
		}
		if err := p.take("of"); err != nil {
			return c, err
		}
		of, err := p.expression(levelOr)
		c.of = &expr{"", line, of}
		return c, err
	}
}
