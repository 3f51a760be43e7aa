// Lets ajv judge the schema fixtures by the exported schemas. Prints each disagreement; exit status 1 if any.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(join(process.env.NODE_PATH, "x"));
const { default: Ajv2020 } = require("ajv/dist/2020.js");

const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const verdicts = { valid: true, invalid: false, "beyond-schema": true };
let judged = 0;
let disagreements = 0;

// A `.jsonl` holds a document on each line.
const documents = (path) => {
  const text = readFileSync(path, "utf8");
  return path.endsWith(".jsonl") ? text.trimEnd().split("\n") : [text];
};

const judge = (validate, path, expected) => {
  documents(path).forEach((document, index) => {
    judged += 1;
    if (validate(JSON.parse(document)) !== expected) {
      disagreements += 1;
      console.log(`${path}, document ${index + 1}: ${expected ? "refused" : "accepted"}`);
    }
  });
};

for (const name of readdirSync("fixtures/schema", { withFileTypes: true })) {
  if (!name.isDirectory()) continue;
  const validate = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true }).compile(
    read(`schemas/${name.name}.schema.json`),
  );
  for (const [folder, expected] of Object.entries(verdicts)) {
    const path = `fixtures/schema/${name.name}/${folder}`;
    for (const file of existsSync(path) ? readdirSync(path) : []) {
      judge(validate, `fixtures/schema/${name.name}/${folder}/${file}`, expected);
    }
  }
}
const site = new Ajv2020().compile(read("schemas/site.schema.json"));
const artifact = new Ajv2020().compile(read("schemas/artifact.schema.json"));
for (const [folder, knowledge] of [["garden", "knowledge.json"], ["atlas", "kb/atlas.json"]]) {
  judge(site, `fixtures/sites/${folder}/site-config.json`, true);
  judge(artifact, `fixtures/sites/${folder}/${knowledge}`, true);
}
console.log(`ajv judged ${judged} documents, ${disagreements} disagreements`);
process.exit(disagreements === 0 && judged > 0 ? 0 : 1);
