package accept_test

import (
	"fmt"
	"os"
	"time"

	"github.com/effective-bandwidth/beff/report"
	"github.com/effective-bandwidth/beff/report/accept"
)

// Judge a sheet on result files. report.Find returns the paths of a directory.
func ExampleSheet_Judge() {
	text, err := os.ReadFile("../../docs/example/lot1.toml")
	if err != nil {
		fmt.Println(err)
		return
	}
	sheet, err := accept.Parse("lot1.toml", text, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	files := report.ReadAll([]string{"../../docs/example/openmpi.json.gz"}, nil)
	for _, f := range files {
		if f.Problem != nil {
			fmt.Println(f.Name(), f.Problem) // it doesn't count
		}
	}
	for _, system := range sheet.Judge(files, time.Now()) {
		for _, j := range system.Judged {
			fmt.Printf("%s, %s: %.3g B/s (%.3g to %.3g): %s\n", system.System, j.ID, j.Value, j.Low, j.High, j.Verdict)
		}
	}
	// Output:
	// a virtual machine, network: 4.87e+09 B/s (4.28e+09 to 5.53e+09): met
}
