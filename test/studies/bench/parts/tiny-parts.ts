// A suite of parts that takes a moment: each round is slower than the one before, by the same factor for all candidates.

export const TINY_PARTS = `id: tiny
kind: parts
title: Two cases
about: As little as can be measured.
prepare: { program: prepare.mjs }
repeats: 3
quick: { cases: [large], input: { factor: 100 } }
cases:
  small:
    about: something small
    unit: ns
    better: less
    program: value.mjs
    input: { factor: 1 }
    candidates:
      ours: { value: 10 }
    controls:
      theirs: { value: 50 }
      others: { value: 30 }
    control: theirs
    targets:
      - { cell: ours, against: [theirs], times: 5 }
      - { cell: ours, against: [theirs, others], times: 4 }
      - { cell: theirs, against: [ours], times: 0.5 }
      - { cell: ours, value: 20 }
  large:
    about: something large
    unit: 1/s
    better: more
    program: value.mjs
    input: { factor: 10, value: 5 }
    by: name
    candidates: { ours }
    control: ours
    targets:
      - { cell: ours, value: 50 }
gates:
  - { cell: ours, metric: small }
`;

const PREPARE = `import { writeFileSync } from "node:fs";
import { join } from "node:path";
writeFileSync(join(JSON.parse(process.argv[2]).folder, "runs"), "");
`;

const VALUE = `import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
const { folder, factor, value, subject } = JSON.parse(process.argv[2]);
const file = join(folder, "runs");
const round = Math.floor(readFileSync(file, "utf8").length / 4);
appendFileSync(file, "x");
if (subject === "hangs") setInterval(() => {}, 1000);
else {
  console.log("some other line");
  console.log(JSON.stringify({ value: value * factor * (1 + round) }));
}
`;

export const TINY_PART_FILES = {
  "tiny.yaml": TINY_PARTS,
  "prepare.mjs": PREPARE,
  "value.mjs": VALUE,
};
