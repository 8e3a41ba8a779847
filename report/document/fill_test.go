package document

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"gonum.org/v1/plot/vg/draw"
)

// blank is a drawing with a ratio of height to width.
type blank float64

func (b blank) Aspect() float64  { return float64(b) }
func (b blank) Draw(draw.Canvas) {}

// No page but the first is less than half full. In a few of a hundred documents, no size of figures avoids such a page.
func TestPagesAreFull(t *testing.T) {
	for seed := range uint64(20) {
		random := rand.New(rand.NewPCG(seed, 1))
		d := &Document{Title: "Systems", Upright: seed%4 > 0, Letter: seed%2 == 1}
		for s := range 3 + random.IntN(4) {
			section := Section{ID: fmt.Sprint("s", s), Title: "Section"}
			for b := range 2 + random.IntN(8) {
				id := fmt.Sprint("b", s, "-", b)
				switch random.IntN(3) {
				case 0:
					table := &Table{ID: id, Columns: Heads("area")}
					for range 2 + random.IntN(9) {
						table.Columns = append(table.Columns, Column{Name: "a system with a name"})
					}
					for range 3 + random.IntN(40) {
						table.Rows = append(table.Rows, make([]Cell, len(table.Columns)))
					}
					section.Blocks = append(section.Blocks, table)
				case 1:
					section.Blocks = append(section.Blocks, Paragraph(strings.Repeat("words ", random.IntN(200))))
				default:
					section.Blocks = append(section.Blocks, &Figure{ID: id, Drawing: blank(0.3 + 0.7*random.Float64()),
						Caption: strings.Repeat("caption ", random.IntN(40))})
				}
			}
			d.Sections = append(d.Sections, section)
		}
		assert.Zero(t, fullest(d, d.captions()).sparse, seed)
	}
}
