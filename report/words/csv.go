package words

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CSV writes lines of values (RFC 4180), but lines end in \n. Every CSV of ours is written by it.
type CSV struct {
	out  *bufio.Writer
	line []string
}

// NewCSV returns a writer. What it has written is there after Flush.
func NewCSV(w io.Writer) *CSV { return &CSV{out: bufio.NewWriter(w)} }

// Line writes a line. Numbers have all their digits; NaN and nil are empty. Texts are strangers': they stay on their
// line, and none is a formula.
func (c *CSV) Line(values ...any) {
	c.line = c.line[:0]
	for _, x := range values {
		c.line = append(c.line, Cell(x))
	}
	c.write()
}

// Texts writes a line of texts alone.
func (c *CSV) Texts(texts ...string) {
	c.line = c.line[:0]
	for _, x := range texts {
		c.line = append(c.line, Cell(x))
	}
	c.write()
}

// write writes the line. A cell with a semicolon is quoted, too: where lists are separated by semicolons, a spreadsheet
// would take the line's beginning with the text before the semicolon as one cell, which may be a formula.
func (c *CSV) write() {
	for i, cell := range c.line {
		if i > 0 {
			_ = c.out.WriteByte(',') // Flush has the error
		}
		if strings.ContainsAny(cell, ",;\"") || strings.HasPrefix(cell, " ") {
			cell = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
		_, _ = c.out.WriteString(cell)
	}
	_ = c.out.WriteByte('\n')
}

// Flush writes what is in the buffer, and returns the first error of all lines.
func (c *CSV) Flush() error { return c.out.Flush() }

// Cell returns a value as lines have it.
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

// Exact formats a number with as many digits as are needed to read back the same value. It uses an exponent only where
// JavaScript does: 1048576, not 1.048576e+06. NaN, which was not measured, is empty.
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

// noFormula keeps spreadsheets from running a text as a formula (OWASP, CSV Injection): it gets an apostrophe in front.
// Numbers and dashes are not changed. Where lists are separated by semicolons, a spreadsheet takes the text behind one
// as a further cell.
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
