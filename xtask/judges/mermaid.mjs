// Lets mermaid's own parser read the diagrams of the sample statecharts, and compares what it found with the
// definitions that they were drawn from. Prints each disagreement; exit status 1 if any.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(join(process.env.NODE_PATH, "x"));
const { Window } = require("happy-dom");
globalThis.window = new Window();
globalThis.document = globalThis.window.document;
const { default: mermaid } = await import(pathToFileURL(require.resolve("mermaid")));

const folder = "fixtures/statechart";

// A label as a reader sees it. Mermaid keeps `#34;` as `ﬂ°°34¶ß` until it draws.
const shown = (label) => label.replace(/ﬂ°°(\d+)¶ß/g, (_, code) => String.fromCodePoint(code));

// A name as a label shows it: backslashes doubled, what cannot be seen as an escape.
const unseen = /[^\P{White_Space} ]|[\p{Cc}\u{ad}\u{61c}\u{180e}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e007f}]|^ +| +$/gu;
const escaped = (text) => [...text].map((letter) => `\\u{${letter.codePointAt(0).toString(16)}}`).join("");
const visible = (name) => name.replaceAll("\\", "\\\\").replace(unseen, escaped);

const read = async (path) => {
  const text = readFileSync(path, "utf8");
  const { diagramType } = await mermaid.parse(text);
  if (diagramType !== "stateDiagram") throw new Error(`read as ${diagramType}`);
  const { db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  const labels = new Map([...db.getStates()].map(([id, state]) => [id, shown(state.descriptions.join("\n"))]));
  const arrows = db.getRelations().map(({ id1, id2, relationTitle }) => [id1, shown(relationTitle), id2]);
  return {
    states: [...labels].filter(([id]) => id !== "root_start").map(([, label]) => label),
    arrows: arrows.map(([from, event, to]) => [labels.get(from), event, labels.get(to)]),
  };
};

const drawn = ({ initial, states }) => ({
  states: Object.keys(states).map(visible),
  arrows: [
    ["", "", visible(initial)],
    ...Object.entries(states).flatMap(([from, { on = {} }]) =>
      Object.entries(on).map(([event, { target }]) => [from, event, target].map(visible)),
    ),
  ],
});

const sorted = ({ states, arrows }) => JSON.stringify([states.sort(), arrows.map(String).sort()], null, 1);
const diagrams = readdirSync(folder).filter((name) => name.endsWith(".mmd"));
let disagreements = 0;
for (const name of diagrams) {
  const definition = join(folder, name.replace(".mmd", ".json"));
  try {
    const found = sorted(await read(join(folder, name)));
    if (!existsSync(definition)) continue;
    const expected = sorted(drawn(JSON.parse(readFileSync(definition, "utf8"))));
    if (found !== expected) throw new Error(`found ${found}\nexpected ${expected}`);
  } catch (error) {
    disagreements += 1;
    console.log(`${name}: ${error.message}`);
  }
}
console.log(`mermaid read ${diagrams.length} diagrams, ${disagreements} disagreements`);
process.exit(disagreements === 0 && diagrams.length > 0 ? 0 : 1);
