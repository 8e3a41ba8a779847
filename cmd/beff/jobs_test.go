package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The scripts of docs/jobs.md run in a shell. A restarted job resumes from the files of the first one.
func TestJobScripts(t *testing.T) {
	page, err := os.ReadFile("../../docs/jobs.md")
	require.NoError(t, err)
	scripts := regexp.MustCompile(`(?m)^    #!/bin/bash\n(?:(?:    .*)?\n)+`).FindAllString(string(page), -1)
	require.Len(t, scripts, 4)
	for i, batch := range []struct{ word, launcher string }{{"#SBATCH", "srun"},
		{"#PBS", "mpirun"}, {"#flux:", "flux"}, {"#BSUB", "mpirun"}} {
		t.Run(batch.word, func(t *testing.T) {
			text := strings.ReplaceAll(scripts[i], "\n    ", "\n")[len("    "):]
			require.Regexp(t, `(?m)\A#!/bin/bash\n(`+batch.word+` -.*\n)+\n`, text)
			dir := t.TempDir()
			const echo = "#!/bin/sh\nprintf '%s\\n' \"$*\"\n"
			for name, text := range map[string]string{"job.sh": text, batch.launcher: echo} {
				require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o755))
			}
			output := func() string {
				shell := exec.Command("bash", "-eu", "job.sh")
				shell.Dir = dir
				shell.Env = append(os.Environ(), "PATH="+dir+":"+os.Getenv("PATH"), "PBS_O_WORKDIR="+dir)
				out, err := shell.CombinedOutput()
				require.NoError(t, err, "%s", out)
				return string(out)
			}
			require.Regexp(t, ` beff run -o site --wall 8m\n$`, output())
			require.NoError(t, os.WriteFile(filepath.Join(dir, "site.journal"), []byte("x"), 0o600))
			require.Regexp(t, ` beff run --resume site --wall 8m\n$`, output())
		})
	}
}
