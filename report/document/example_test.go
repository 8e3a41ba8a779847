package document_test

import (
	"fmt"
	"os"

	"github.com/effective-bandwidth/beff/report/document"
)

// A table is data: a cell has a text to show and the number behind it. Each writer writes it in one format.
func ExampleTableCSV() {
	t := &document.Table{ID: "machines", Caption: "Bandwidths.",
		Columns: []document.Column{{Name: "machine"}, {Name: "bandwidth", Unit: "MB/s", Numbers: true}},
		Rows: [][]document.Cell{
			{document.Text("n001"), document.Number(1500, "1500.0")},
			{document.Text("n002"), document.Number(900.5, "900.5")},
		}}
	if err := document.TableCSV(os.Stdout, t); err != nil {
		fmt.Println(err)
	}
	// Output:
	// machine,bandwidth [MB/s],beff_version
	// n001,1500,0.1.0
	// n002,900.5,0.1.0
}
