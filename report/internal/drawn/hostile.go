package drawn

import (
	"math"
	"strings"
)

// HostileNames are names that a stranger's file may have.
var HostileNames = []string{
	"", " ", "\x00\x01\x7f", "a\nb\tc", "</text><script>alert(1)</script>", `"&'<>`, "\xff\xfe\xc0", "\u202egnp.exe",
	strings.Repeat("very long name ", 4000),
	"e\u0301\u0301\u0301\u0301", "😀😀😀", "日本語のシステム", strings.Repeat("W", 300), "<!--", "]]>", "%s%d%!n", "\u2028\u2029",
	"../../etc/passwd",
}

// HostileNumbers are numbers that a broken clock or a stranger's file may have.
var HostileNumbers = []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e-308, math.MaxFloat64,
	math.SmallestNonzeroFloat64, 1, 1e-9}
