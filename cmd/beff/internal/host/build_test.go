package host

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBuildIsNamed checks that Revision is set even if the build recorded no commit, as in test binaries.
func TestBuildIsNamed(t *testing.T) { require.NotEmpty(t, Build().Revision) }
