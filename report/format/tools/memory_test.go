package tools

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Reading a text of n bytes takes less than 8 n + 100 MB of memory, whatever program printed it and whatever is
// repeated.
func TestTextsTakeLittleMemory(t *testing.T) {
	const variable, size = "BEFF_TEST_TEXT", 4 << 20
	if path := os.Getenv(variable); path != "" { // the process that reads
		f, err := os.Open(path)
		require.NoError(t, err)
		_, err = Read(f, "x")
		status, _ := os.ReadFile("/proc/self/status")
		fmt.Printf("%v\n%s\n", err, regexp.MustCompile(`(?m)^VmHWM:.*`).Find(status))
		return
	}
	var options strings.Builder
	for i := range mostValues - 10 {
		fmt.Fprintf(&options, `,"%x":1`, i)
	}
	texts := map[string]string{"IOR deep": `{"Command line":"","tests":[{"Results":` + strings.Repeat("[", size),
		"IOR options": `{"Command line":"","tests":[{"Options":{"a":1` + options.String() + "}}]}",
		"IOR tests":   `{"Command line":"","tests":[{}` + strings.Repeat(",{}", size/3) + "]}",
		"IO500": "IO500 version x (standard)\n" +
			strings.Repeat("[RESULT] a 1.5 GiB/s : time 3.1 seconds\n", size/40),
		"elbencho": "ISO date,label,path type,operation,hosts,threads,MiB/s [last]\n" +
			strings.Repeat("2026-11-22T12:00:01,,dir,WRITE,1,2,3.5\n", size/40),
		"columns": "ISO date,label,path type,operation,hosts,threads" + strings.Repeat(",a", size/2) + "\n1\n"}
	for _, file := range samples(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		program := recognised(string(text))[0]
		if _, has := texts[program+" whole"]; has {
			continue
		}
		last := strings.TrimRight(string(text), "\n")
		last = last[strings.LastIndex(last, "\n")+1:] + "\n"
		texts[program+" whole"] = strings.Repeat(string(text), size/len(text))
		texts[program+" last lines"] = string(text) + strings.Repeat(last, size/len(last))
		texts[program+" line"] = string(text) + strings.Repeat("1 ", size/2)
	}
	for name, text := range texts {
		path := filepath.Join(t.TempDir(), "text")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		c := exec.Command(os.Args[0], "-test.run", "^TestTextsTakeLittleMemory$")
		c.Env = append(os.Environ(), "GOGC=100", variable+"="+path)
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", name, out)
		_, line, _ := strings.Cut(string(out), "VmHWM:")
		var used int
		_, err = fmt.Sscan(line, &used)
		require.NoError(t, err, "%s", out)
		t.Logf("%s: %d MB: %.100s", name, used>>10, out)
		require.Less(t, used<<10, 8*len(text)+100_000_000, "%s: %.300s", name, out)
	}
}
