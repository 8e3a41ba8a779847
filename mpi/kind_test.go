package mpi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/mpi"
)

// TestKind checks the properties of engines from results. Results of libmpi and local don't state them, so Kind goes by
// the name.
func TestKind(t *testing.T) {
	simulated := mpi.EngineKind{Simulated: true}
	for text, want := range map[string]mpi.EngineKind{
		`{"name":"libmpi","library":"MPICH","version":"4.0.2","mpi_standard":"4.0"}`:       {Distributed: true},
		`{"name":"local","library":"beff embedded engine","version":"0.1"}`:                {Embedded: true},
		`{"name":"sim","library":"a model","version":"1","properties":{"simulated":true}}`: simulated,
		`{"name":"","library":"not known","version":""}`:                                   {},
		`{"name":"next","library":"","version":"","properties":{"embedded":true,"simulated":true}}`: {Embedded: true,
			Simulated: true},
	} {
		var l mpi.Library
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		require.Equal(t, want, l.Kind(), text)
		again, err := json.Marshal(l)
		require.NoError(t, err)
		require.Equal(t, text, string(again))
	}
}

// TestAgreed checks that a wrapped AgreedError counts as agreed, unless another error of only this process is joined
// with it.
func TestAgreed(t *testing.T) {
	all, alone := error(&mpi.AgreedError{Err: errors.New("stopped")}), errors.New("MPI_Allreduce failed here")
	for _, c := range []struct {
		err  error
		want bool
	}{
		{nil, false}, {alone, false}, {all, true},
		{fmt.Errorf("x: %w", all), true}, {fmt.Errorf("x: %w", alone), false},
		{errors.Join(all, nil), true}, {errors.Join(all, all), true}, {errors.Join(all, alone), false},
		{errors.Join(errors.Join(alone, all), all), false}, {fmt.Errorf("x: %w", errors.Join(all, alone)), false},
		{fmt.Errorf("%w; %w", alone, all), false}, {&mpi.AgreedError{Err: errors.Join(all, alone)}, true},
	} {
		require.Equal(t, c.want, mpi.Agreed(c.err), "%v", c.err)
	}
}
