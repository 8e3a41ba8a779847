"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const byID = new Map(data.rows.map((r) => [r.id, r]));
  const $ = (id) => document.getElementById(id);
  const head = $("list").tHead.rows[0], body = $("list").tBodies[0];

  // The state is in the address, so that a view can be sent to others.
  const blank = { class: "0", q: "", processes: "", since: "", valid: "", all: "", sort: "rank", dir: "", a: "", b: "" };
  let state = { ...blank };

  function element(name, attributes, ...children) {
    const e = document.createElement(name);
    for (const [k, v] of Object.entries(attributes || {})) if (v !== null) e.setAttribute(k, v);
    e.append(...children);
    return e;
  }

  function digits(x) {
    if (!(x > 0)) return "-";
    return x >= 1000 ? x.toFixed(0) : x.toPrecision(4);
  }

  // columns returns the columns of a class: key, head, unit, whether they hold numbers, and their value.
  function columns(c) {
    const text = (key, name) => ({ key, name, value: (r) => r[key] || "" });
    const figure = (f) => ({ key: f.key, name: f.name, unit: f.unit, number: true, value: (r) => r.figures[f.key] || 0, figure: true });
    const rating = c.figures.filter((f) => f.key === c.rating), others = c.figures.filter((f) => f.key !== c.rating);
    const list = [{ key: "rank", name: "rank", number: true, value: (r) => r.rank || 0 },
      { key: "of_all", name: "of all sizes", number: true, value: (r) => r.of_all || 0 }, text("system", "system"),
      ...rating.map(figure), { key: "half", name: "±", unit: "%", number: true, value: half },
      { key: "processes", name: "processes", number: true, value: (r) => r.processes },
      { key: "nodes", name: "nodes", number: true, value: (r) => r.nodes || 0 }, text("library", "library"),
      text("date", "date"), text("status", "status"), ...others.map(figure), text("site", "site"), text("note", "note")];
    const rows = data.rows.filter((r) => data.classes[r.class] === c);
    return list.filter((x) => x.key === "rank" || rows.some((r) => x.value(r)));
  }

  function half(r) {
    const c = data.classes[r.class], x = r.figures[c.rating];
    return r.high && x ? 100 * Math.max(r.high / x - 1, 1 - r.low / x) : 0;
  }

  function chosen() {
    const words = state.q.toLowerCase().split(/\s+/).filter(Boolean);
    return data.rows.filter((r) => String(r.class) === state.class && (state.all || r.best) && (!state.valid || r.valid) &&
      (!state.processes || String(r.processes) === state.processes) && (!state.since || (r.date || "") >= state.since) &&
      words.every((w) => [r.system, r.site, r.note, r.library, r.status, r.date].join(" ").toLowerCase().includes(w)));
  }

  function order(rows, list) {
    const c = list.find((x) => x.key === state.sort) || list[0];
    const sign = state.dir === "desc" ? -1 : 1;
    const missing = (v) => v === 0 || v === "";
    return rows.map((r) => [r, c.value(r)]).sort(([p, a], [q, b]) => {
      if (missing(a) !== missing(b)) return missing(a) ? 1 : -1;
      if (c.key === "rank" && p.processes !== q.processes) return q.processes - p.processes; // ranks are of a size
      return sign * (typeof a === "number" ? a - b : a.localeCompare(b)) || p.system.localeCompare(q.system);
    }).map(([r]) => r);
  }

  function cell(c, r) {
    const v = c.value(r);
    if (c.key === "system") return element("td", {}, element("a", { href: r.page }, r.system));
    if (!c.number) return element("td", { title: String(v) }, String(v));
    const text = c.key === "half" && v ? v.toPrecision(2) : c.figure || c.key === "half" ? digits(v) : v || "-";
    return element("td", { class: "number" }, String(text));
  }

  function box(r) {
    const b = element("input", { type: "checkbox", "aria-label": `compare ${r.system}, ${r.processes} processes, ${r.date || ""}`,
      "data-id": r.id });
    b.checked = r.id === state.a || r.id === state.b;
    return element("td", {}, b);
  }

  function list() {
    const c = data.classes[Number(state.class)], used = columns(c), rows = order(chosen(), used);
    head.replaceChildren(element("th", { scope: "col" }, "compare"), ...used.map((x) => {
      const sorted = x.key === state.sort ? (state.dir === "desc" ? "descending" : "ascending") : "none";
      const button = element("button", { type: "button", "data-key": x.key }, x.name);
      if (x.unit) button.append(" ", element("span", { class: "unit" }, `[${x.unit}]`));
      return element("th", { scope: "col", class: x.number ? "number" : null, "aria-sort": sorted }, button);
    }), element("th", { scope: "col" }, "files"));
    body.replaceChildren(...rows.map((r) => element("tr", {}, box(r), ...used.map((x) => cell(x, r)), files(r))));
    const all = data.rows.filter((r) => String(r.class) === state.class).length;
    $("count").textContent = `${rows.length} of ${all} results of this class`;
  }

  function files(r) {
    const td = element("td", {});
    if (r.report) td.append(element("a", { href: r.report, "aria-label": `report of ${r.system}, ${r.date || ""}` }, "report"), " ");
    if (r.document) td.append(element("a", { href: r.document, download: "",
      "aria-label": `document of ${r.system}, ${r.date || ""}` }, "document"));
    return td;
  }

  function title(r) {
    return `${r.system}, ${r.processes} processes, ${(r.date || "").slice(0, 10)}`;
  }

  function compare() {
    const a = byID.get(state.a), b = byID.get(state.b), to = $("sides");
    to.replaceChildren();
    $("hint").hidden = Boolean(a && b);
    $("hint").textContent = a || b ? `${title(a || b)} is chosen: choose another one.` : "Choose two results in the table by their boxes.";
    if (!a || !b) return;
    if (a.class !== b.class) {
      to.append(element("p", { class: "notice bad" },
        `Not of one class: ${data.classes[a.class].name}; ${data.classes[b.class].name}. These ratings do not measure the same thing.`));
    }
    for (const r of [a, b]) {
      if (!r.valid) to.append(element("p", { class: "notice bad" }, `${title(r)} is ${r.status}.`));
    }
    to.append(figures(a, b));
    if (a.curve && b.curve && axis(a) === axis(b)) to.append(curves(a, b));
    const facts = differing(a, b);
    if (facts) to.append(facts);
  }

  function table(caption, heads, rows) {
    return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
      element("table", {}, element("caption", {}, element("span", {}, caption)), element("thead", {},
        element("tr", {}, ...heads.map((h) => element("th", { scope: "col" }, h)))), element("tbody", {}, ...rows)));
  }

  function figures(a, b) {
    const names = new Map();
    for (const r of [a, b]) for (const f of data.classes[r.class].figures) names.set(f.key, f);
    const rows = [];
    for (const f of names.values()) {
      const x = a.figures[f.key], y = b.figures[f.key];
      if (!x || !y) continue;
      const ratio = y / x, better = (ratio > 1) !== Boolean(f.less);
      const word = f.unit === "MiB" ? "" : Math.abs(ratio - 1) < 0.0005 ? "neither" : better ? "the second" : "the first";
      const shown = (r, v) => f.key === data.classes[r.class].rating && half(r) ? `${digits(v)} ± ${half(r).toPrecision(2)} %` : digits(v);
      rows.push(element("tr", {}, element("th", { scope: "row" }, `${f.name} [${f.unit}]`),
        element("td", { class: "number" }, shown(a, x)), element("td", { class: "number" }, shown(b, y)),
        element("td", { class: "number" }, ratio.toFixed(3)), element("td", {}, word)));
    }
    return table("Figures; the ratio is that of the second to the first.", ["figure", title(a), title(b), "ratio", "better"], rows);
  }

  function differing(a, b) {
    const facts = (r) => new Map((r.facts || []).map(([n, v]) => [data.names[n], data.values[v]]));
    const x = facts(a), y = facts(b);
    const rows = [...new Set([...x.keys(), ...y.keys()])].filter((n) => x.get(n) !== y.get(n)).map((n) =>
      element("tr", {}, element("th", { scope: "row" }, n), element("td", {}, x.get(n) || "-"), element("td", {}, y.get(n) || "-")));
    return rows.length ? table("What else differs.", ["fact", title(a), title(b)], rows) : null;
  }

  function svg(name, attributes, ...children) {
    const e = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, v);
    e.append(...children);
    return e;
  }

  function bytes(n) {
    for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) if (n >= size) return `${+(n / size).toPrecision(3)} ${unit}`;
    return `${n} B`;
  }

  // axis returns what the curve of a result is over.
  function axis(r) {
    return data.classes[r.class].rating === "b_eff_io" ? "contiguous chunk on disk; mean of writing and reading by all pattern types" : "message length";
  }

  // curves draws the bandwidth over the message length or the chunk, both on logarithmic axes.
  function curves(a, b) {
    const width = 720, height = 380, left = 70, right = 20, top = 34, bottom = 48;
    const points = [...a.curve, ...b.curve].filter(([x, y]) => x > 0 && y > 0);
    const range = (k) => [Math.min(...points.map((p) => p[k])), Math.max(...points.map((p) => p[k]))].map(Math.log2);
    const [x0, x1] = range(0), [y0, y1] = range(1);
    const x = (v) => left + (Math.log2(v) - x0) / Math.max(x1 - x0, 1e-9) * (width - left - right);
    const y = (v) => height - bottom - (Math.log2(v) - y0) / Math.max(y1 - y0, 1e-9) * (height - top - bottom);
    const root = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img",
      "aria-label": `Bandwidth over ${axis(a)} of ${title(a)} and ${title(b)}` });
    for (let e = Math.ceil(x0 / 4) * 4; e <= x1; e += 4) {
      root.append(svg("line", { class: "grid", x1: x(2 ** e), x2: x(2 ** e), y1: top, y2: height - bottom }),
        svg("text", { x: x(2 ** e), y: height - bottom + 18, "text-anchor": "middle" }, bytes(2 ** e)));
    }
    for (let e = Math.ceil(y0 / Math.log2(10)); e <= y1 / Math.log2(10); e++) {
      root.append(svg("line", { class: "grid", x1: left, x2: width - right, y1: y(10 ** e), y2: y(10 ** e) }),
        svg("text", { x: left - 6, y: y(10 ** e) + 4, "text-anchor": "end" }, String(10 ** e)));
    }
    root.append(svg("text", { x: (left + width - right) / 2, y: height - 8, "text-anchor": "middle" }, axis(a)),
      svg("text", { x: 4, y: 14 }, "MB/s"));
    [["a", a], ["b", b]].forEach(([name, r], i) => {
      const list = r.curve.filter(([p, q]) => p > 0 && q > 0);
      root.append(svg("polyline", { class: name, points: list.map(([p, q]) => `${x(p)},${y(q)}`).join(" ") }));
      for (const [p, q] of list) root.append(svg("circle", { class: name, cx: x(p), cy: y(q), r: 3 },
        svg("title", {}, `${title(r)}: ${digits(q)} MB/s at ${bytes(p)}`)));
      root.append(svg("line", { class: name, x1: left + 60 + 320 * i, x2: left + 90 + 320 * i, y1: 12, y2: 12 }),
        svg("text", { x: left + 96 + 320 * i, y: 16 }, title(r).slice(0, 40)));
    });
    return root;
  }

  function options(select, list) {
    select.replaceChildren(...list.map(([value, name]) => element("option", { value }, name)));
  }

  function controls() {
    options($("class"), data.classes.map((c, i) => [String(i), c.name]));
    const sizes = [...new Set(data.rows.filter((r) => String(r.class) === state.class).map((r) => r.processes))].sort((p, q) => p - q);
    options($("processes"), [["", "any"], ...sizes.map((n) => [String(n), String(n)])]);
    for (const id of ["class", "q", "processes", "since"]) if ($(id).value !== state[id]) $(id).value = state[id];
    for (const id of ["valid", "all"]) $(id).checked = Boolean(state[id]);
  }

  function show() {
    controls();
    list();
    compare();
  }

  function keep() {
    const hash = new URLSearchParams(Object.entries(state).filter(([k, v]) => v !== blank[k])).toString();
    try {
      history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
    } catch (e) { /* the view is right all the same */ }
  }

  function follow() {
    state = { ...blank };
    for (const [k, v] of new URLSearchParams(location.hash.slice(1))) if (k in blank) state[k] = v;
    if (!data.classes[Number(state.class)]) state.class = "0";
    show();
  }

  $("filters").addEventListener("input", (event) => {
    const c = event.target;
    if (!(c.id in blank)) return;
    state[c.id] = c.type === "checkbox" ? (c.checked ? "1" : "") : c.value;
    if (c.id === "class") Object.assign(state, { processes: "", sort: "rank", dir: "" });
    keep();
    controls();
    list();
  });
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("reset").addEventListener("click", () => {
    state = { ...blank };
    keep();
    show();
  });
  head.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const key = button.dataset.key;
    state.dir = state.sort === key ? (state.dir ? "" : "desc") : key === "rank" || key === "system" ? "" : "desc";
    state.sort = key;
    keep();
    list();
    head.querySelector(`button[data-key="${CSS.escape(key)}"]`).focus();
  });
  body.addEventListener("change", (event) => {
    const id = event.target.dataset.id, checked = event.target.checked;
    const pair = [state.a, state.b].filter((x) => x && x !== id);
    if (checked) pair.push(id);
    [state.a, state.b] = [...pair.slice(-2), "", ""];
    for (const box of body.querySelectorAll("input")) box.checked = box.dataset.id === state.a || box.dataset.id === state.b;
    keep();
    compare();
  });
  window.addEventListener("hashchange", follow);
  follow();
})();
