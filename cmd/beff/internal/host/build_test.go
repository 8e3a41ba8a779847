package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The commit is never empty: tests are built without one.
func TestBuildIsNamed(t *testing.T) { require.NotEmpty(t, Build().Revision) }
