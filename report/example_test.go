package report_test

import (
	"fmt"

	"github.com/effective-bandwidth/beff/rating"
	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/document"
)

// A result file is read and verified. Its report and texts follow from the file, on any machine.
func ExampleRead() {
	f := report.Read("../testdata/b_eff-1.json")
	if f.Problem != nil {
		fmt.Println(f.Problem)
		return
	}
	e := f.Entry()
	fmt.Printf("%s: %.4g B/s\n", e.Status, e.Figures["b_eff"].Value)
	d := f.Document()
	fmt.Println(d.Headline.Name, d.Headline.Value, d.Headline.Unit, d.Headline.Note)
	fmt.Println("good:", d.Notices[0].Level == document.Good)
	t := f.Texts()[1]
	fmt.Printf("beff report --format %s, %s\n", t.Name, t.Ending)
	// Output:
	// NOT VALID: 3.673e+09 B/s
	// b_eff 3.67 GB/s (interval not known: it needs each length twice); 1.84 GB/s per process on 2 processes
	// good: false
	// beff report --format sum, .sum
}

// A gate: is the second result slower than 0.95 times the first? Results that aren't valid, or of different classes,
// can't be judged.
func ExampleCompare() {
	files := report.ReadAll([]string{"../docs/example/openmpi.json.gz", "../docs/example/mpich.json.gz"}, nil)
	sides := report.Sides(files, []int{1, 1})
	comparison, err := report.Compare(sides)
	if err == nil {
		err = sides[0].Judged(sides[1])
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range comparison.Mains() {
		fmt.Printf("%s: %.2f times\n", d.Name, d.Ratio())
		const ratioOnly = false // the whole interval must be below 0.95
		fmt.Println("slower:", d.Comparison().AtLeast(0.95, ratioOnly) == rating.Failed)
	}
	// Output:
	// b_eff: 1.02 times
	// slower: false
}
