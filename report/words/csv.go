package words

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/effective-bandwidth/beff/internal/lists"
)

// CSV writes lines of values as RFC 4180 describes, but lines end in \n. All of beff's CSV output goes through it.
type CSV struct{ out *bufio.Writer }

// NewCSV returns a writer to w. It is buffered: call Flush at the end.
func NewCSV(w io.Writer) *CSV { return &CSV{out: bufio.NewWriter(w)} }

// Line writes a line. Numbers keep all their digits; NaN and nil are empty. Texts may come from strangers: they are
// kept on one line, and a text that a spreadsheet would take as a formula is quoted. A cell with a semicolon is quoted,
// too: a spreadsheet that separates lists by semicolons would take the part of the line before the semicolon as one
// cell, which may be a formula.
func (c *CSV) Line(values ...any) {
	for i, x := range values {
		if i > 0 {
			_ = c.out.WriteByte(',') // Flush returns the error
		}
		cell := Cell(x)
		if strings.ContainsAny(cell, ",;\"") || strings.HasPrefix(cell, " ") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		_, _ = c.out.WriteString(cell)
	}
	_ = c.out.WriteByte('\n')
}

// Texts writes a line that consists of texts.
func (c *CSV) Texts(texts ...string) { c.Line(lists.Each(texts, func(s string) any { return s })...) }

// Flush writes the buffer, and returns the first error of all lines.
func (c *CSV) Flush() error { return c.out.Flush() }

// Cell formats a value as Line writes it.
func Cell(x any) string {
	switch x := x.(type) {
	case nil:
		return ""
	case string:
		return noFormula(OneLine(x))
	case int:
		return strconv.Itoa(x)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return Exact(x)
	}
	return noFormula(OneLine(fmt.Sprint(x)))
}

// Exact formats a number with as many digits as are needed to read back the same value. Like JavaScript, it writes
// 1048576 and not 1.048576e+06. NaN, which means "not measured", is empty.
func Exact(x float64) string {
	format := byte('f')
	if a := math.Abs(x); a != 0 && (a < 1e-6 || a >= 1e21) {
		format = 'e'
	}
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, format, -1, 64)
}

// noFormula puts an apostrophe before a text that a spreadsheet would run as a formula (OWASP, CSV Injection). Numbers
// and dashes are not changed. Each part between semicolons is checked, because some spreadsheets split cells there.
func noFormula(s string) string {
	if !strings.Contains(s, ";") {
		return noFormulaCell(s)
	}
	cells := strings.Split(s, ";")
	for i := range cells {
		cells[i] = noFormulaCell(cells[i])
	}
	return strings.Join(cells, ";")
}

func noFormulaCell(s string) string {
	first, _ := utf8.DecodeRuneInString(s)
	if strings.Trim(s, "-") == "" || !strings.ContainsRune("=+-@＝＋－＠", first) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}
