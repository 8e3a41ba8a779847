package conformance

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// workVariable is the environment variable in which Start passes the name of its work to a process.
const workVariable = "BEFF_TEST_RANK"

// suite is the name of the work that runs TestRank, which calls Process.Suite.
const suite = "conformance"

// Process is a test binary of an engine whose processes a launcher starts. The tests start the binary again with Start.
type Process struct {
	Engine func(main func(mpi.Engine) error) error // runs main on this process of the job
	Work   map[string]func(mpi.Engine) error       // the work of processes, by name

	world  mpi.Engine
	onMain chan func()
}

// Main implements TestMain. In a process of a job it does the work and exits. Otherwise it runs the tests and then
// clean.
func (p *Process) Main(m *testing.M, clean func()) {
	work := os.Getenv(workVariable)
	if work == "" {
		code := m.Run()
		clean()
		Clean()
		os.Exit(code)
	}
	code, main := 0, p.Work[work]
	if work == suite {
		main = func(e mpi.Engine) error {
			code = p.tests(e, m)
			return nil
		}
	}
	if err := p.Engine(main); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// tests runs the tests, and returns their exit code. An MPI may only be called on the main goroutine's thread, but
// tests run on other goroutines, so they send their work to the main one.
func (p *Process) tests(e mpi.Engine, m *testing.M) (code int) {
	p.world, p.onMain = e, make(chan func())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		code = m.Run()
	}()
	for {
		select {
		case f := <-p.onMain:
			f()
		case <-ended:
			return code
		}
	}
}

// Suite implements TestRank. It runs the conformance suite on a process of a job, and skips the test elsewhere.
func (p *Process) Suite(t *testing.T) {
	if p.world == nil {
		t.Skip("runs under a launcher: TestConformance starts it there")
	}
	Run(t, p.world.World().Size(), func(main func(mpi.Engine) error) error {
		done := make(chan error)
		p.onMain <- func() { done <- main(p.world) }
		return <-done
	})
}

// StartSuite runs the suite, or its cases with matching names, on some processes. It returns the verbose output of
// TestRank.
func StartSuite(t testing.TB, launcher []string, processes int, environ []string, cases ...string) (
	output string, err error) {
	return Start(t, launcher, processes, suite, environ, "-test.run=^TestRank$/"+strings.Join(cases, "|"), "-test.v",
		"-test.timeout=8m")
}

// Start runs processes of this test binary with a launcher, such as "mpirun --oversubscribe". Each process does the
// work named work. Start returns the output of all processes.
func Start(t testing.TB, launcher []string, processes int, work string, environ []string, args ...string) (
	output string, err error) {
	self, err := os.Executable()
	require.NoError(t, err)
	words := append(append([]string{}, launcher...), "-n", fmt.Sprint(processes), self)
	c := exec.Command(words[0], append(words[1:], args...)...)
	c.Env = append(environ, workVariable+"="+work)
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err = c.Run()
	return out.String(), err
}
