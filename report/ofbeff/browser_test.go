package ofbeff

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/effective-bandwidth/beff/beff"
	"github.com/effective-bandwidth/beff/report/document"
	"github.com/effective-bandwidth/beff/report/internal/fixture"
)

// overlaps lists pairs of texts of a drawing that overlap by more than a point, and texts outside of the drawing.
const overlaps = `<pre id="found"></pre><script>
const found = [];
for (const svg of document.querySelectorAll("svg")) {
  const whole = svg.getBoundingClientRect();
  const list = Array.from(svg.querySelectorAll("text:not([fill-opacity])"), (t) => [t, t.getBoundingClientRect()]);
  list.forEach(([t, a], i) => {
    if (a.left < whole.left - 1 || a.right > whole.right + 1) found.push(t.textContent + " is outside");
    // a quarter of the height above and below the letters is empty
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

// With any font, no text of a figure overlaps another one, and none is cut off.
func TestOtherFonts(t *testing.T) {
	all := wholeRun(t)
	figures := append(Figures(all), Overlay([]string{"Hawk", "JUWELS Cluster Module of the Centre", "C"},
		[]*beff.Result{all, all, all}, nil)...)
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
		dom := fixture.Show(t, page.String()+overlaps, "")
		require.Regexp(t, `FOUND  END [1-9]\d\d`, dom[strings.Index(dom, `id="found"`):], font)
	}
}

// A page shows a value at the pointer, and hides a curve, all within its policy.
func TestFiguresInPage(t *testing.T) {
	r := wholeRun(t)
	var b strings.Builder
	require.NoError(t, document.HTML(&b, Document(r, Figures(r))))
	const act = `<script>
const figure = document.getElementById("beff-bandwidth");
const circle = figure.querySelector("g[data-part] circle");
circle.dispatchEvent(new PointerEvent("pointerenter"));
const said = document.querySelector(".tip").textContent;
const buttons = Array.from(figure.querySelectorAll(".tools button"));
buttons[0].click();
const off = figure.querySelectorAll(".off").length;
document.body.append("FOUND " + [said, buttons[0].textContent, off > 0].join("|"));
</script></body>`
	page := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(b.String(), "")
	dom := fixture.Show(t, strings.Replace(page, "</body>", act, 1), "")
	found := dom[strings.LastIndex(dom, "FOUND "):]
	require.Regexp(t, `^FOUND mean of 6 rings, 1 B: [0-9.]+ .B/s\|mean of 6 rings\|true`, found)
}

// On a phone the page itself has no horizontal scroll bar. Each wide table and each drawing has one, with a shadow at
// its edge. Texts are at least 16 pixels high, and texts of drawings at least 10.
func TestPhone(t *testing.T) {
	r := wholeRun(t)
	var b strings.Builder
	require.NoError(t, document.HTML(&b, Document(r, Figures(r))))
	const frame = `<!DOCTYPE html><iframe id=f style="width:390px;height:844px;border:0"></iframe><script>
const f = document.getElementById("f");
f.srcdoc = decodeURIComponent("PAGE");
f.addEventListener("load", () => {
  const root = f.contentDocument.documentElement;
  const wide = Array.from(root.querySelectorAll(".scroll")).filter((e) => e.scrollWidth > e.clientWidth + 1);
  document.body.append("FOUND " + [root.scrollWidth <= 390, wide.length > 0,
    Array.from(root.querySelectorAll("svg text")).every((t) => t.getAttribute("font-size") *
      t.ownerSVGElement.getBoundingClientRect().width / t.ownerSVGElement.viewBox.baseVal.width >= 10),
    wide.every((e) => getComputedStyle(e).backgroundImage !== "none" && e.tabIndex === 0),
    Array.from(root.querySelectorAll("body, p, li, td, th, caption, figcaption, summary, button, dt, dd")).every(
      (e) => parseFloat(getComputedStyle(e).fontSize) >= 16)].join("|"));
});
</script>`
	page := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy"[^>]*>`).ReplaceAllString(b.String(), "")
	dom := fixture.Show(t, strings.Replace(frame, "PAGE", strings.ReplaceAll(url.QueryEscape(page), "+", "%20"), 1), "")
	require.Contains(t, dom, "FOUND true|true|true|true|true")
}
