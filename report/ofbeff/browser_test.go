package ofbeff

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/drawn"
)

// chromium returns the path of a headless browser. Without one the test is skipped, or fails if BEFF_TEST_TOOLS=1.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	require.NotEqual(t, "1", os.Getenv("BEFF_TEST_TOOLS"), "chromium is missing")
	t.Skip("chromium is missing")
	return ""
}

// rendered returns a page after its scripts have run.
func rendered(t *testing.T, page string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "page.html")
	require.NoError(t, os.WriteFile(name, []byte(page), 0o644))
	cmd := exec.Command(chromium(t), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
		"--user-data-dir="+filepath.Dir(name)+"/user", "--dump-dom", "file://"+name)
	cmd.WaitDelay = time.Second
	dom, err := cmd.Output()
	require.NoError(t, err)
	return string(dom)
}

// overlaps lists pairs of texts of a drawing that lie on each other by more than a point, and texts outside of it.
const overlaps = `<pre id="found"></pre><script>
const found = [];
for (const svg of document.querySelectorAll("svg")) {
  const whole = svg.getBoundingClientRect();
  const list = Array.from(svg.querySelectorAll("text:not([fill-opacity])"), (t) => [t, t.getBoundingClientRect()]);
  list.forEach(([t, a], i) => {
    if (a.left < whole.left - 1 || a.right > whole.right + 1) found.push(t.textContent + " is outside");
    // half of the height is that of lines above and below the letters
    const cut = (r, turned) => turned ? [r.left + r.width / 4, r.right - r.width / 4, r.top, r.bottom] :
      [r.left, r.right, r.top + r.height / 4, r.bottom - r.height / 4];
    const [l, r, top, b] = cut(a, t.hasAttribute("transform"));
    for (const [u, c] of list.slice(0, i)) {
      const [l2, r2, top2, b2] = cut(c, u.hasAttribute("transform"));
      if (Math.min(r, r2) - Math.max(l, l2) > 1 && Math.min(b, b2) - Math.max(top, top2) > 1) {
        found.push(t.textContent + " is on " + u.textContent);
      }
    }
  });
}
document.getElementById("found").textContent = "FOUND " + found.join("; ") + " END " +
  document.querySelectorAll("svg text").length;
</script>`

// With any font no text of a figure lies on another one, and none is cut off.
func TestFontsOfOthers(t *testing.T) {
	chromium(t)
	all := drawn.Whole(t)
	figures := append(Figures(all), Overlay([]string{"Hawk", "JUWELS Cluster Module of the Centre", "C"},
		[]*beff.Result{all, all, all})...)
	for _, font := range []string{"serif", "monospace"} {
		var page strings.Builder
		page.WriteString("<!DOCTYPE html><meta charset=utf-8>")
		for _, f := range figures {
			var b strings.Builder
			require.NoError(t, document.SVG(&b, f))
			_, svg, _ := strings.Cut(b.String(), "?>")
			require.Contains(t, svg, "font-family=")
			page.WriteString(regexp.MustCompile(`font-family="[^"]*"`).ReplaceAllString(svg, `font-family="`+font+`"`))
		}
		dom := rendered(t, page.String()+overlaps)
		require.Regexp(t, `FOUND  END [1-9]\d\d`, dom[strings.Index(dom, `id="found"`):], font)
	}
}

// A page shows a value where a pointer is, hides a curve, and changes to the linear axis, all within its policy.
func TestFiguresInPage(t *testing.T) {
	chromium(t)
	r := drawn.Whole(t)
	var b strings.Builder
	require.NoError(t, document.HTML(&b, Document(r, Figures(r))))
	const act = `<script>
const figure = document.getElementById("beff-bandwidth");
const circle = figure.querySelector("g[data-part] circle");
circle.dispatchEvent(new PointerEvent("pointerenter"));
const said = document.querySelector(".tip").textContent;
const buttons = Array.from(figure.querySelectorAll(".tools button"));
buttons[0].click();
buttons[1].click();
const off = figure.querySelectorAll(".off").length, linear = figure.querySelector(".linear").hidden;
const log = figure.querySelector(".linear").previousElementSibling.hidden;
document.body.append("FOUND " + [said, buttons[0].textContent, buttons[1].textContent, off > 0, linear, log].join("|"));
</script></body>`
	page := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(b.String(), "")
	dom := rendered(t, strings.Replace(page, "</body>", act, 1))
	found := dom[strings.LastIndex(dom, "FOUND "):]
	require.Regexp(t, `^FOUND mean of 6 rings, 1 B: [0-9.]+ .B/s\|linear axis\|mean of 6 rings\|true\|false\|true`,
		found)
}
