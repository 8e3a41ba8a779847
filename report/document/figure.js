// Figures: values where a pointer is, and curves that are switched off. It has no dependencies.
"use strict";
(function () {
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  tip.setAttribute("role", "status");
  document.body.append(tip);

  function show(circle) {
    tip.textContent = circle.dataset.value;
    tip.hidden = false;
    const at = circle.getBoundingClientRect();
    const left = Math.min(at.right + 6, document.documentElement.clientWidth - tip.offsetWidth - 4);
    tip.style.left = Math.max(4, left) + window.scrollX + "px";
    tip.style.top = Math.max(at.top - tip.offsetHeight - 4, 0) + window.scrollY + "px";
  }

  // A part's description has the way from point to point, and their texts.
  document.querySelectorAll("figure g[data-part]").forEach((part) => {
    const points = part.querySelector("desc");
    if (!points) return;
    points.remove();
    const ways = points.dataset.at.match(/-?[0-9.]+/g).map(Number);
    let x = 0, y = 0;
    points.textContent.split("|").forEach((text, k) => {
      const circle = document.createElementNS("http://www.w3.org/2000/svg", "circle");
      circle.setAttribute("cx", x += ways[2 * k]);
      circle.setAttribute("cy", y += ways[2 * k + 1]);
      circle.dataset.value = part.dataset.part + ", " + text;
      circle.addEventListener("pointerenter", () => show(circle));
      circle.addEventListener("pointerleave", () => { tip.hidden = true; });
      part.append(circle);
    });
  });

  function button(text, pressed, click) {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.setAttribute("aria-pressed", pressed);
    b.addEventListener("click", () => {
      const now = b.getAttribute("aria-pressed") !== "true";
      b.setAttribute("aria-pressed", now);
      click(now);
    });
    return b;
  }

  document.querySelectorAll("figure").forEach((figure) => {
    const tools = document.createElement("div");
    tools.className = "tools";
    tools.setAttribute("role", "group");
    tools.setAttribute("aria-label", "What the figure shows");
    const parts = new Map();
    figure.querySelectorAll("g[data-part]").forEach((g) => {
      const name = g.dataset.part;
      parts.set(name, (parts.get(name) || []).concat(g));
    });
    if (parts.size > 1) {
      parts.forEach((groups, name) => {
        tools.append(button(name, true, (on) => groups.forEach((g) => g.classList.toggle("off", !on))));
      });
    }
    if (tools.childElementCount === 0) return;
    // The picture has a legend: the buttons appear on demand.
    const choice = document.createElement("details");
    choice.className = "choice";
    const summary = document.createElement("summary");
    summary.textContent = "Show or hide parts";
    choice.append(summary, tools);
    figure.insertBefore(choice, figure.querySelector("figcaption"));
  });
})();
