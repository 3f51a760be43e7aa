"""Lets the Python package jsonschema judge the schema fixtures by the exported schemas.

Prints each disagreement; exit status 1 if there is any.
"""

import json
import sys
from pathlib import Path

from jsonschema import Draft202012Validator

VERDICTS = {"valid": True, "invalid": False, "beyond-schema": True}
judged = 0
disagreements = 0


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8"))


def validator(name):
    schema = read(f"schemas/{name}.schema.json")
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def documents(path):
    """A `.jsonl` holds a document on each line."""
    text = Path(path).read_text(encoding="utf-8")
    return text.rstrip("\n").split("\n") if str(path).endswith(".jsonl") else [text]


def judge(schema, path, expected):
    global judged, disagreements
    for number, document in enumerate(documents(path), 1):
        judged += 1
        if schema.is_valid(json.loads(document)) != expected:
            disagreements += 1
            print(f"{path}, document {number}: {'refused' if expected else 'accepted'}")


for folder in sorted(Path("fixtures/schema").iterdir()):
    if folder.is_dir():
        schema = validator(folder.name)
        for name, expected in VERDICTS.items():
            for path in sorted((folder / name).glob("*.json*")):
                judge(schema, path, expected)
for folder, knowledge in (("garden", "knowledge.json"), ("atlas", "kb/atlas.json")):
    judge(validator("site"), f"fixtures/sites/{folder}/site-config.json", True)
    judge(validator("artifact"), f"fixtures/sites/{folder}/{knowledge}", True)
print(f"jsonschema judged {judged} documents, {disagreements} disagreements")
sys.exit(0 if disagreements == 0 and judged > 0 else 1)
