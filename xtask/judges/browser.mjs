// Opens the pages of the renderer in Chromium: what they show keeps the rules of axe-core, and what they were made of
// does nothing at all, without a content security policy. Leaves a screenshot of each. Prints what it finds; exit
// status 1 if anything.
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_PATH, "x"));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const folder = process.env.ANSWERPLANE_PAGES;
const host = "https://pages.test/";
const findings = [];

const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });

// A page in a browser that reaches nothing else, and everything that it tried.
const open = async (name, options) => {
  const context = await browser.newContext({ bypassCSP: true, ...options });
  const page = await context.newPage();
  const tried = [];
  await context.route("**", (route) => {
    const url = route.request().url();
    if (url === host + name) return route.fulfill({ contentType: "text/html", body: readFileSync(join(folder, name)) });
    tried.push(`request ${url.slice(0, 200)}`);
    return route.abort();
  });
  page.on("dialog", (dialog) => { tried.push(`dialog ${dialog.message()}`); dialog.dismiss(); });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) tried.push(`console ${message.text().slice(0, 200)}`);
  });
  page.on("pageerror", (error) => tried.push(`error ${error.message}`));
  page.on("popup", () => tried.push("popup"));
  page.on("framenavigated", (frame) => { if (frame.url() !== host + name) tried.push(`navigation ${frame.url()}`); });
  await page.goto(host + name);
  tried.splice(0, tried.length, ...tried.filter((what) => what !== `request ${host}favicon.ico`));
  return { page, tried, context };
};

const looks = [
  ["light", { viewport: { width: 900, height: 900 }, colorScheme: "light" }],
  ["dark", { viewport: { width: 900, height: 900 }, colorScheme: "dark" }],
  ["narrow", { viewport: { width: 320, height: 640 }, colorScheme: "light" }],
];
const pages = readdirSync(folder).filter((name) => name.endsWith(".html"));
for (const name of pages) {
  for (const [look, options] of looks) {
    const where = `${name}, ${look}`;
    const { page, tried, context } = await open(name, options);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    if (width > options.viewport.width) findings.push(`${where}: ${width} pixels wide`);
    // Whatever a person does with it: everything is pointed at, focused, opened, pressed and submitted.
    if (name === "attacks.html") {
      const found = await page.evaluate(() => {
        const found = [];
        for (const element of document.querySelectorAll("*")) {
          for (const { name } of element.attributes) if (name.startsWith("on")) found.push(`${element.tagName} ${name}`);
          for (const event of ["mouseover", "focus", "toggle", "error", "load"]) element.dispatchEvent(new Event(event));
          if (element.tagName === "A" && !["http:", "https:"].includes(element.protocol)) found.push(element.href);
          if (element.tagName === "BUTTON") element.click();
        }
        return found;
      });
      findings.push(...found.map((what) => `${where}: ${what}`));
    } else {
      await page.evaluate(axe);
      const { violations } = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
      for (const { id, nodes } of violations) {
        findings.push(`${where}: ${id}: ${nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(" | ")}`);
      }
      await page.screenshot({ path: join(folder, `${name.replace(".html", "")}-${look}.png`), fullPage: true });
      await page.evaluate(() => {
        for (const field of document.querySelectorAll("input, select")) {
          if (field.type === "checkbox") field.checked = true;
          else field.value = { email: "a@b.test", number: "3" }[field.type] ?? (field.options?.[1].value ?? "x");
        }
      });
      for (const button of await page.locator("button:enabled").all()) await button.click();
    }
    await page.waitForTimeout(200);
    findings.push(...tried.map((what) => `${where}: ${what}`));
    await context.close();
  }
}
await browser.close();
findings.forEach((finding) => console.log(finding));
console.log(`chromium opened ${pages.length} pages in ${looks.length} looks, ${findings.length} findings`);
process.exit(findings.length === 0 && pages.length > 0 ? 0 : 1);
