// Uses a site as a person would, in headless Chromium: node check.mjs CHROMIUM SITE, with puppeteer-core and axe-core
// beside it (make axe). It ends with 1 at the first thing that isn't as it should be.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import path from "node:path";
import fs from "node:fs";
import assert from "node:assert/strict";
import puppeteer from "puppeteer-core";

const [chromium, site] = process.argv.slice(2);
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const browser = await puppeteer.launch({ executablePath: chromium, args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"] });
let checks = 0;

async function open(file, width, dark) {
  const page = await browser.newPage();
  const said = [];
  page.on("console", (m) => said.push(m.text()));
  page.on("pageerror", (e) => said.push(String(e)));
  page.on("request", (r) => { if (!/^(file|data):/.test(r.url())) said.push(`network: ${r.url()}`); });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(pathToFileURL(path.resolve(site, file)).href);
  page.quiet = () => assert.deepEqual(said, [], `${file}: the console is empty`);
  return page;
}

// audit runs axe-core in a world of its own, which the page's content policy doesn't reach.
async function audit(page, name) {
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id });
  await session.send("Runtime.evaluate", { expression: axe, contextId: executionContextId });
  const { result } = await session.send("Runtime.evaluate", { contextId: executionContextId, awaitPromise: true, returnByValue: true,
    expression: `axe.run(document).then((r) => r.violations.map((v) => [v.impact, v.id, v.nodes.map((n) => n.html).slice(0, 3)]))` });
  assert.ok(Array.isArray(result.value), `${name}: axe ran`);
  const bad = result.value.filter(([impact]) => impact === "serious" || impact === "critical");
  assert.deepEqual(bad, [], `${name}: no serious finding`);
  for (const v of result.value) console.log(`${name}: ${JSON.stringify(v)}`);
  checks++;
}

// column returns the texts of the shown rows of a table in the column of a name.
const column = (page, table, name) => page.evaluate((table, name) => {
  const at = [...document.querySelectorAll(`#${table} thead bdi`)].findIndex((b) => b.textContent === name);
  return [...document.querySelectorAll(`#${table} tbody tr:not([hidden])`)].map((r) => r.cells[at].textContent);
}, table, name);

for (const [width, dark] of [[1280, false], [390, false], [1280, true]]) {
  const page = await open("index.html", width, dark);
  const name = `index ${width}${dark ? " dark" : ""}`;
  const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.ok(over <= 0, `${name}: the page isn't wider than its window`);
  // sorted by a click, and again the other way
  await page.evaluate(() => document.querySelectorAll("details").forEach((d) => { d.open = true; }));
  const press = () => page.evaluate(() => {
    const heads = [...document.querySelectorAll("#each-1 thead th")];
    heads.find((h) => h.querySelector("bdi").textContent === "b_eff").querySelector("button").click();
  });
  await press();
  const rising = (await column(page, "each-1", "b_eff")).map(Number);
  assert.deepEqual(rising, [...rising].sort((a, b) => a - b));
  await press();
  assert.deepEqual((await column(page, "each-1", "b_eff")).map(Number), rising.reverse());
  // found by a word, and again by the address
  const system = (await column(page, "each-1", "system"))[0];
  await page.focus('input[data-table="each-1"]');
  await page.keyboard.type(`system=${system.toLowerCase().split(" ")[0]}`);
  const found = await column(page, "each-1", "system");
  assert.ok(found.length > 0 && found.every((s) => s.startsWith(system.split(" ")[0])));
  assert.match(await page.$eval("#each-1", (t) => t.closest("details").querySelector("output").textContent), /^\d+ of \d+ rows$/);
  const address = page.url();
  assert.match(address, /search=each-1:/);
  await page.goto(pathToFileURL(path.resolve(site, "index.html")).href);
  await page.goto(address);
  await page.reload();
  assert.deepEqual(await column(page, "each-1", "system"), found);
  await audit(page, name);
  page.quiet();
  checks++;
  await page.close();
}
// everything is reached by the tabulator
const page = await open("index.html", 1280, false);
const seen = new Set();
for (let i = 0; i < 40; i++) {
  await page.keyboard.press("Tab");
  seen.add(await page.evaluate(() => document.activeElement.id || document.activeElement.tagName));
}
for (const id of ["INPUT", "BUTTON", "A"]) assert.ok(seen.has(id), `${id} is reached`);
page.quiet();
// all links lead to files that are there
const links = await page.$$eval("a", (l) => l.map((a) => a.getAttribute("href")));
for (const link of links.filter((l) => !l.startsWith("#"))) assert.ok(fs.existsSync(path.join(site, decodeURI(link))), link);
for (const dir of ["systems", "comparisons", "reports"]) {
  for (const file of fs.readdirSync(path.join(site, dir)).slice(0, 2)) {
    for (const width of [1280, 390]) {
      const page = await open(`${dir}/${file}`, width, width === 390);
      await audit(page, `${dir}/${file} ${width}`);
      page.quiet();
      await page.close();
    }
  }
}
await browser.close();
console.log(`${checks} passed, 0 failed`);
