// What failed, in `npm ci`, in the tests and in the other steps, printed once more near the end of .ci/run: of its
// output, often only the end is kept.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";

// Of install, types, lint, format and of the scripts that npm ran.
const PROBLEMS = [
  /^npm error /,
  /: error TS\d+: /,
  /^\s*[×x] [\w-]+\([\w-]+\): /,
  /^\s*(?:╭─|,-)\[/,
  /^\S+ \(\d+ms\)$/,
  /^Format issues found/,
  /^Found (?!0 warnings and 0 errors)\d+ warnings? and \d+ errors?/,
  /^ERROR: ".+" exited with/,
  /^Caused by: /,
];
// A test, or what no test caught: vitest's own words, the titles first, and the place in the code last.
const TEST = /^ FAIL |^⎯+ Unhandled /;
const PLACE = /^ ❯ /;
const LINES_OF_TEST = 14;
// Some errors have a whole counterexample in one line.
const LENGTH = 400;
const MOST = 160;

/** Steps whose output is searched: of the others the beginning is printed. */
const SEARCHED = ["install", "tests", "rest", "servers"];
const directory = "reports/runs/ci";
// Where a lane ended early, steps have no files.
const lines = SEARCHED.flatMap((step) => [`${step}.log`, `${step}.err`])
  .map((name) => `${directory}/${name}`)
  .filter((file) => existsSync(file))
  .flatMap((file) => stripVTControlCharacters(readFileSync(file, "utf8")).split("\n"));

const said = [];
let left = 0;
for (const line of lines) {
  if (TEST.test(line)) left = LINES_OF_TEST;
  else if (left === 0 && !PROBLEMS.some((problem) => problem.test(line))) continue;
  if (line !== "") said.push(line);
  left = PLACE.test(line) ? 0 : Math.max(0, left - 1);
}

if (said.length > 0) console.log(`failed in ${SEARCHED.join(", ")}:`);
for (const line of said.slice(0, MOST))
  console.log(line.length > LENGTH ? `${line.slice(0, LENGTH)}…` : line);
if (said.length > MOST) console.log(`and ${said.length - MOST} lines more, further up`);

// A run prints what failed before its tables, of which the end is printed above.
const HEAD = 40;
for (const file of readdirSync(directory)) {
  const step = file.replace(/\.status$/, "");
  if (step === file || SEARCHED.includes(step)) continue;
  if (readFileSync(`${directory}/${file}`, "utf8").trim() === "0") continue;
  const printed = ["log", "err"].flatMap((stream) =>
    readFileSync(`${directory}/${step}.${stream}`, "utf8").split("\n").slice(0, HEAD),
  );
  console.log(`${step} failed; its log begins:`);
  for (const line of printed) console.log(line.slice(0, LENGTH));
}
