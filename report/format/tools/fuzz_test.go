package tools

import (
	"bytes"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/internal/mutants"
)

// fuzz feeds any data to a reader, which must return a result that passes its check, or an error of one line.
func fuzz(f *testing.F, program string) {
	for _, file := range samples(f) {
		text, err := os.ReadFile(file)
		require.NoError(f, err)
		if slices.Contains(recognised(string(text)), program) {
			f.Add(text)
		}
	}
	mutants.Fuzz(f, func(t *testing.T, data []byte) {
		Log(bytes.NewReader(data), "x", func(run Found) error {
			if run.Err == nil {
				require.NoError(t, run.Result.Check())
			} else {
				require.NotContains(t, run.Err.Error(), "\n")
			}
			return nil
		})
	})
}

func FuzzOSU(f *testing.F)     { fuzz(f, "OSU Micro-Benchmarks") }
func FuzzGPCNeT(f *testing.F)  { fuzz(f, "GPCNeT") }
func FuzzIOR(f *testing.F)     { fuzz(f, "IOR") }
func FuzzBEff(f *testing.F)    { fuzz(f, "b_eff 3.6") }
func FuzzMPIBlib(f *testing.F) { fuzz(f, "MPIBlib") }
func FuzzHPCC(f *testing.F)    { fuzz(f, "HPCC") }
func FuzzIMB(f *testing.F)     { fuzz(f, "IMB") }
func FuzzBEffIO(f *testing.F)  { fuzz(f, "b_eff_io 2.1") }
func FuzzMDTest(f *testing.F)  { fuzz(f, "mdtest") }

func FuzzIO500(f *testing.F) {
	f.Add([]byte("IO500 version x (standard)\n[RESULT]  ior-easy-write  1.5 GiB/s : time 3.1 seconds [INVALID]\n" +
		"[SCORE ] Bandwidth 0.6 GiB/s : IOPS 15.0 kiops : TOTAL 3.03 [INVALID]\n"))
	f.Add([]byte("[run]\nprocs = 48\n; START 2023-11-01 12:00:05\n[ior-easy-write]\nscore = 1.5\n[SCORE]\nSCORE = 5\n"))
	fuzz(f, "IO500")
}

func FuzzElbencho(f *testing.F) {
	f.Add([]byte("ISO date,label,path type,operation,hosts,threads,MiB/s [last],entries/s [last]\n" +
		"2026-11-22T12:00:01,,dir,WRITE,1,2,3.5,\n2026-11-22T12:00:01,,dir,WRITE,1,2,4.5,7\n"))
	fuzz(f, "elbencho")
}

func FuzzNCCL(f *testing.F) {
	f.Add([]byte(ncclText))
	fuzz(f, "nccl-tests")
}

func FuzzPerftest(f *testing.F) {
	f.Add([]byte(perftestBW + perftestLat))
	fuzz(f, "perftest")
}
