// Sorts tables by a click on a head, or by the address: #sort=TABLE:COLUMN:desc, columns from 1. It has no dependencies.
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
    try { // so that the address can be passed on; a page without one may not
      history.replaceState(null, "", "#sort=" + table.id + ":" + (column + 1) + ":" + direction.replace("ending", ""));
    } catch (e) { /* it is sorted all the same */ }
  }

  function follow() {
    const m = /^#sort=([a-z0-9_-]+):([0-9]+)(?::(asc|desc))?$/.exec(location.hash);
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
  window.addEventListener("hashchange", follow);
  follow();
})();
