"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const head = $("list").tHead.rows[0], body = $("list").tBodies[0];

  // The state is in the address, so that a view can be sent to others.
  const blank = { class: "0", q: "", processes: "", since: "", valid: "", all: "", sort: "rank", dir: "" };
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
      { key: "runs", name: "runs", number: true, value: (r) => r.runs || 0 },
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
    return data.rows.filter((r) => String(r.class) === state.class && (state.all ? !r.mean : r.shown) && (!state.valid || r.valid) &&
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

  function list() {
    const c = data.classes[Number(state.class)], used = columns(c), rows = order(chosen(), used);
    head.replaceChildren(...used.map((x) => {
      const sorted = x.key === state.sort ? (state.dir === "desc" ? "descending" : "ascending") : "none";
      const button = element("button", { type: "button", "data-key": x.key }, x.name);
      if (x.unit) button.append(" ", element("span", { class: "unit" }, `[${x.unit}]`));
      return element("th", { scope: "col", class: x.number ? "number" : null, "aria-sort": sorted }, button);
    }), element("th", { scope: "col" }, "files"));
    body.replaceChildren(...rows.map((r) => element("tr", {}, ...used.map((x) => cell(x, r)), files(r))));
    const all = data.rows.filter((r) => String(r.class) === state.class && !r.mean).length;
    $("count").textContent = `${rows.length} ${rows.length === 1 ? "row" : "rows"} of ${all} results of this class`;
  }

  function files(r) {
    const td = element("td", {});
    if (r.report) td.append(element("a", { href: r.report, "aria-label": `report of ${r.system}, ${r.date || ""}` }, "report"), " ");
    if (r.document) td.append(element("a", { href: r.document, download: "",
      "aria-label": `document of ${r.system}, ${r.date || ""}` }, "document"));
    return td;
  }

  // ofClass shows what belongs to the class alone: its picture and comparisons.
  function ofClass() {
    for (const e of document.querySelectorAll("[data-class]")) e.hidden = e.dataset.class !== state.class;
    $("compare").hidden = !document.querySelector("#compare [data-class]:not([hidden])");
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
    ofClass();
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
    show();
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
  window.addEventListener("hashchange", follow);
  follow();
})();
