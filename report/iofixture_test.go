package report_test

import (
	"testing"

	"github.com/effective-bandwidth/beff/beffio"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// ioFixtures are results by name.
func ioFixtures(testing.TB) map[string]*beffio.Result { return fixture.IOResults() }
