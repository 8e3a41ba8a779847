// Sorts tables by a click on a head, or by the address: #sort=TABLE:COLUMN:desc, columns from 1. Shows the rows that a
// search asks for: #search=TABLE:WORDS. It has no dependencies.
"use strict";
(function () {
  // A cell's key: its number if it has one, else its text; nothing if it is empty.
  function key(row, column) {
    const cell = row.cells[column];
    if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
    return cell.textContent.trim() || null;
  }

  // Numbers come before texts.
  function compare(a, b) {
    if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1;
    if (typeof a === "number") return a - b;
    return a < b ? -1 : a > b ? 1 : 0;
  }

  // The sort is stable in both directions, and empty cells are last in both.
  function sort(table, column, direction) {
    const body = table.tBodies[0];
    const sign = direction === "descending" ? -1 : 1;
    const rows = Array.from(body.rows, (row) => ({ row, key: key(row, column) }));
    rows.sort((a, b) => {
      if (a.key === null || b.key === null) return (a.key === null) - (b.key === null);
      return sign * compare(a.key, b.key);
    });
    rows.forEach((r) => r.row.classList.remove("group"));
    body.append(...rows.map((r) => r.row));
    Array.from(table.tHead.rows[0].cells).forEach((head, i) => {
      head.setAttribute("aria-sort", i === column ? direction : "none");
    });
  }

  function click(table, column) {
    const head = table.tHead.rows[0].cells[column];
    const direction = head.getAttribute("aria-sort") === "ascending" ? "descending" : "ascending";
    sort(table, column, direction);
    keep("sort", table.id + ":" + (column + 1) + ":" + direction.replace("ending", ""));
  }

  // keep puts what a reader chose into the address, so that it can be passed on; a page without one may not.
  function keep(key, value) {
    const state = new URLSearchParams(location.hash.slice(1));
    state.set(key, value);
    try {
      history.replaceState(null, "", "#" + state.toString().replaceAll("%3A", ":"));
    } catch (e) { /* it is shown all the same */ }
  }

  // holds reports whether a row has a word, or fulfils a condition on a column, whose name has dashes for blanks:
  // numbers by their value, other texts by as much as the condition has of them.
  function holds(heads, row, word) {
    const m = /^([^<>=!]+)(<=|>=|!=|==|=|<|>)(.+)$/.exec(word);
    const column = m ? heads.findIndex((names) => names.includes(m[1])) : -1;
    if (column < 0) return row.textContent.toLowerCase().includes(word);
    const of = key(row, column), number = Number(m[3]);
    if (m[2] === "==") return String(of).toLowerCase() === m[3];
    const by = of === null ? NaN : typeof of === "number" ? of - number :
      of !== "" && !isNaN(of) ? Number(of) - number : compare(of.toLowerCase().slice(0, m[3].length), m[3]);
    return { "<": by < 0, "<=": by <= 0, "=": by === 0, "!=": by !== 0, ">=": by >= 0, ">": by > 0 }[m[2]];
  }

  // keys returns the names by which conditions know each column: that of its head, and that of beff's flags.
  function keys(table) {
    return Array.from(table.tHead.rows[0].cells, (c) => c.querySelector("bdi"))
      .map((c) => [c.textContent, c.dataset.key || ""].map((name) => name.toLowerCase().replaceAll(" ", "-")));
  }

  // tabs puts a button for each value of a column above a table, with the number of its rows, and one for all rows. A
  // button is a search.
  function tabs(input, table) {
    const column = keys(table).findIndex((names) => names.includes(table.dataset.tabs)), counts = new Map([["", 0]]);
    if (column < 0) return;
    for (const row of table.tBodies[0].rows) {
      const name = row.cells[column].textContent;
      counts.set("", counts.get("") + 1).set(name, (counts.get(name) || 0) + 1);
    }
    if (counts.size < 3) return;
    const bar = document.createElement("div");
    bar.className = "tabs";
    table.tabs = Array.from(counts, ([name, count]) => {
      const tab = document.createElement("button");
      tab.type = "button";
      tab.value = name === "" ? "" : table.dataset.tabs + '=="' + name + '"';
      tab.textContent = (name || "all") + " " + count;
      tab.addEventListener("click", () => {
        input.value = tab.value;
        search(input);
        keep("search", table.id + ":" + tab.value);
      });
      bar.append(tab);
      return tab;
    });
    input.closest(".search").before(bar);
  }

  function search(input) {
    const table = document.getElementById(input.dataset.table), rows = Array.from(table.tBodies[0].rows);
    const heads = keys(table), words = (input.value.toLowerCase().match(/(?:"[^"]*"|[^\s"])+/g) || []).map((w) => w.replaceAll('"', ""));
    table.tabs?.forEach((tab) => tab.setAttribute("aria-pressed", tab.value === input.value));
    rows.forEach((row) => { row.hidden = !words.every((w) => holds(heads, row, w)); });
    input.closest(".search").querySelector("output").textContent = words.length === 0 ? "" :
      rows.filter((row) => !row.hidden).length + " of " + rows.length + " rows";
  }

  function follow() {
    const state = new URLSearchParams(location.hash.slice(1));
    const found = /^([a-z0-9_-]+):(.*)$/.exec(state.get("search"));
    document.querySelectorAll("input[data-table]").forEach((input) => {
      input.value = found && found[1] === input.dataset.table ? found[2] : "";
      search(input);
      if (input.value !== "") input.closest("details")?.setAttribute("open", "");
    });
    const m = /^([a-z0-9_-]+):([0-9]+)(?::(asc|desc))?$/.exec(state.get("sort"));
    const table = m && document.getElementById(m[1]);
    if (!table || !table.classList.contains("sortable")) return;
    const column = Number(m[2]) - 1;
    if (column < 0 || column >= table.tHead.rows[0].cells.length) return;
    sort(table, column, m[3] === "desc" ? "descending" : "ascending");
    table.scrollIntoView();
  }

  document.querySelectorAll("table.sortable").forEach((table) => {
    Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
      head.firstElementChild.addEventListener("click", () => click(table, column));
    });
  });
  document.querySelectorAll("input[data-table]").forEach((input) => {
    tabs(input, document.getElementById(input.dataset.table));
    input.addEventListener("input", () => {
      search(input);
      keep("search", input.dataset.table + ":" + input.value);
    });
  });
  window.addEventListener("hashchange", follow);
  follow();
})();
