package chart

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/effective-bandwidth/beff/patterns"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/words"
)

// Tree is a picture of a tree of ranks; it is empty without one.
type Tree struct {
	ID, Caption string
	*patterns.Tree
	Labels patterns.Labels
}

// Figure implements Picture.
func (t Tree) Figure() *document.Figure {
	if t.Tree == nil {
		return nil
	}
	return &document.Figure{ID: t.ID, Caption: t.Caption, Drawing: newDrawnTree(t.Tree, t.Labels),
		Lines: strings.Split(strings.TrimSpace(t.Text(t.Labels)), "\n"),
		Alt: fmt.Sprintf("Tree of %s: rank %d is the parent of %s.", words.Processes(len(t.Parent)), t.Root,
			words.Count(len(t.Children[t.Root]), "rank"))}
}

// drawnTree is the drawing: the root on top, the ranks in boxes, the bytes of an edge beside it.
type drawnTree struct {
	tree   *patterns.Tree
	labels patterns.Labels
	across []float64 // of each rank, in leaves
	depth  []int     // of each rank
	leaves int
	levels int
}

// newDrawnTree returns the drawing of a tree.
func newDrawnTree(tree *patterns.Tree, labels patterns.Labels) *drawnTree {
	t := &drawnTree{tree: tree, labels: labels, across: make([]float64, len(tree.Parent)),
		depth: make([]int, len(tree.Parent))}
	t.lay(tree.Root, 0)
	return t
}

// lay places a subtree: leaves side by side, other ranks in the middle of their children.
func (t *drawnTree) lay(rank, depth int) {
	t.depth[rank], t.levels = depth, max(t.levels, depth+1)
	children := t.tree.Children[rank]
	if len(children) == 0 {
		t.across[rank] = float64(t.leaves) + 0.5
		t.leaves++
		return
	}
	for _, child := range children {
		t.lay(child, depth+1)
	}
	t.across[rank] = (t.across[children[0]] + t.across[children[len(children)-1]]) / 2
}

// Lengths of a tree's drawing, in points.
const (
	levelHeight = 40
	treeMargin  = 6
	boxHeight   = 14
)

// Aspect implements document.Drawing.
func (t *drawnTree) Aspect() float64 {
	return float64(levelHeight*vg.Length(t.levels)/PageWidth) * t.squeeze()
}

// squeeze returns the factor by which the levels of a very high tree are lower.
func (t *drawnTree) squeeze() float64 { return min(1, 100/float64(t.levels)) }

// Draw implements document.Drawing. Where many leaves are side by side, their texts are small.
func (t *drawnTree) Draw(canvas draw.Canvas) {
	u := unit(canvas, t.Aspect())
	if !(u > 0) {
		return
	}
	leaf := (PageWidth - 2*treeMargin) / vg.Length(t.leaves)
	level := levelHeight * vg.Length(t.squeeze())
	scale := min(1, leaf/vg.Length(t.widest()), level/(2*boxHeight))
	p := pen{c: &canvas, u: u, at: func(x, y float64) vg.Point {
		return vg.Point{X: canvas.Min.X + (treeMargin+leaf*vg.Length(x))*u,
			Y: canvas.Max.Y - level*vg.Length(y+0.5)*u}
	}}
	half := vg.Point{Y: boxHeight / 2 * u * scale}
	ends := func(parent, rank int) (from, to vg.Point) {
		return t.point(p, parent).Sub(half), t.point(p, rank).Add(half)
	}
	for rank, parent := range t.tree.Parent {
		if parent != patterns.None {
			from, to := ends(parent, rank) // from the lower edge of a box to the upper one, so that no box is crossed
			p.c.StrokeLines(p.stroke(darkInk, 1, nil), []vg.Point{from, to})
		}
	}
	for rank, parent := range t.tree.Parent {
		if parent != patterns.None && t.labels.Bytes != nil {
			from, to := ends(parent, rank)
			t.box(p, from.Add(to.Sub(from).Scale(0.55)), fmt.Sprint(t.labels.Bytes[rank]), 0.85*scale, false)
		}
	}
	for rank := range t.tree.Parent {
		t.box(p, t.point(p, rank), t.labels.Rank(rank), scale, true)
	}
}

// point returns the position of a rank.
func (t *drawnTree) point(p pen, rank int) vg.Point {
	return p.at(t.across[rank], float64(t.depth[rank]))
}

// widest returns the width of the widest box, in points.
func (t *drawnTree) widest() float64 {
	style, most := TextOf(smallSize), vg.Length(0)
	for rank := range t.tree.Parent {
		most = max(most, style.Width(t.labels.Rank(rank)))
	}
	return float64(most) + boxHeight
}

// box draws a text on paper, perhaps framed.
func (t *drawnTree) box(p pen, at vg.Point, words string, scale vg.Length, framed bool) {
	style := TextOf(smallSize * p.u * scale)
	style.XAlign, style.YAlign = text.XCenter, text.YCenter
	half := vg.Point{X: style.Width(words)/2 + 3*p.u*scale, Y: boxHeight / 2 * p.u * scale}
	if !framed {
		half = vg.Point{X: style.Width(words)/2 + p.u*scale, Y: half.Y * 0.7}
	}
	corners := []vg.Point{{X: at.X - half.X, Y: at.Y - half.Y}, {X: at.X + half.X, Y: at.Y - half.Y},
		{X: at.X + half.X, Y: at.Y + half.Y}, {X: at.X - half.X, Y: at.Y + half.Y}}
	p.c.FillPolygon(paper, corners)
	if framed {
		p.c.StrokeLines(p.stroke(colour(0), frameWidth(scale), nil), append(corners, corners[0], corners[1]))
	}
	// Digits have no descenders: a little lower than gonum centres them.
	p.c.FillText(style, at.Add(vg.Point{Y: 0.6 * p.u * scale}), words)
}

// frameWidth returns the width of a frame's line.
func frameWidth(scale vg.Length) vg.Length { return max(0.3, scale) }
