// Counts every step of .ci/run by its kind, and adds them up in the last line. A step that failed without a failed count (a type error, a crash, no
// last line) counts as one failure.
import { existsSync, readdirSync, readFileSync } from "node:fs";

const FOLDER = "reports/runs/ci";

/** Of vitest's own JSON report. */
const tests = (name) => () => {
  const run = JSON.parse(readFileSync(`reports/runs/${name}.json`, "utf8"));
  return {
    passed: run.numPassedTests,
    failed: run.numFailedTests,
    skipped: run.numPendingTests + run.numTodoTests,
  };
};

/** The last line with counts: `npm start` prints after it what to try next. */
function lastLine(name) {
  const last = readFileSync(`${FOLDER}/${name}.log`, "utf8")
    .split("\n")
    .findLast((line) => /^\d+ passed, \d+ failed, \d+ skipped(?:, \d+ inconclusive)?$/.test(line));
  if (last === undefined) throw new Error("no line has counts");
  const [passed, failed, skipped, inconclusive = 0] = [...last.matchAll(/\d+/g)].map(Number);
  return { passed, failed, skipped, inconclusive };
}

/** The saved results of implementations below a folder, by file. */
function savedResults(folder) {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".json"),
  );
  if (files.length === 0) throw new Error(`no result was saved in ${folder}`);
  return files.map((file) => [file, JSON.parse(readFileSync(`${folder}/${file}`, "utf8"))]);
}

/**
 * What differs is a result and no failure of Weir; a contradiction would be news about one of these limiters. In virtual
 * time a verdict has to be the committed one.
 */
function verdicts(name) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const [file, { implementations }] of savedResults(`${FOLDER}/${name}`)) {
    const [{ id, clock, verdicts: now }] = implementations;
    const committed = JSON.parse(readFileSync(`reports/${name}/${file}`, "utf8"));
    const before = new Map(
      committed.implementations[0].verdicts.map(({ behaviour, verdict }) => [behaviour, verdict]),
    );
    for (const { behaviour, verdict } of now) {
      const isOther = clock !== "real" && verdict !== before.get(behaviour);
      if (isOther)
        console.log(`${id}, ${behaviour}: ${verdict}; committed: ${before.get(behaviour)}`);
      if (isOther || ["contradicts", "failed"].includes(verdict)) counts.failed++;
      else if (["unsupported", "open"].includes(verdict)) counts.skipped++;
      else counts.passed++;
    }
  }
  return counts;
}

/** For a command that prints no counts: that it ended well is one pass. */
const exitCode = (_name, status) => ({ passed: status === 0 ? 1 : 0, failed: 0, skipped: 0 });

function step(name, read = lastLine) {
  let status = null;
  let counts = { passed: 0, failed: 0, skipped: 0 };
  let problem = "";
  try {
    status = Number(readFileSync(`${FOLDER}/${name}.status`, "utf8"));
    counts = read(name, status);
  } catch (error) {
    problem = `; ${error.message}`;
  }
  const { passed, failed, skipped, inconclusive = 0 } = counts;
  const isUncounted = failed === 0 && (status !== 0 || problem !== "");
  console.log(
    `${name}: exit code ${status}, ${passed} passed, ${failed} failed, ${skipped} skipped${problem}`,
  );
  return { passed, failed: failed + (isUncounted ? 1 : 0), skipped, inconclusive };
}

/** What each step counts: unlike things, whose sum says only whether one of them failed. */
const kinds = [
  ["tests of npm test", step("tests", tests("quick"))],
  [
    "tests of npm run test:rest",
    plus(step("rest", tests("rest")), step("servers", tests("servers"))),
  ],
  ["variants of the suite, in virtual time", step("start")],
  ["variants with real gateways", inRealTime("embedded")],
  ["variants with real gateways and a real Redis", inRealTime("redis")],
  ["mutants", step("mutants")],
  ["worlds of the swarm", step("swarm")],
  ["verdicts about limiters of others", step("implementations", verdicts)],
  [
    "commands that end well: install, limiters",
    ["install", "limiters"].map((name) => step(name, exitCode)).reduce(plus),
  ],
];

/** With the variants that ran again: the first time they counted as failed. */
function inRealTime(name) {
  const first = step(name);
  if (!existsSync(`${FOLDER}/${name}-again.status`)) return first;
  const second = step(`${name}-again`);
  const ran = second.passed + second.failed + second.skipped + second.inconclusive;
  return plus({ ...first, failed: first.failed - ran }, second);
}

function plus(one, other) {
  return Object.fromEntries(Object.keys(one).map((name) => [name, one[name] + other[name]]));
}

// Inconclusive variants are in no sum: reports/reference/inconclusive.json has those that are known, and any other has failed.
const COLUMNS = ["passed", "failed", "skipped", "inconclusive"];
const line = (cells, kind) =>
  console.log(cells.map((cell) => String(cell).padStart(14)).join(""), "", kind);
line(COLUMNS, "");
for (const [kind, counts] of kinds)
  line(
    COLUMNS.map((name) => counts[name]),
    kind,
  );
console.log();

const sum = (name) => kinds.reduce((total, [, counts]) => total + counts[name], 0);
process.exitCode = sum("failed") === 0 ? 0 : 1;
console.log(`${sum("passed")} passed, ${sum("failed")} failed, ${sum("skipped")} skipped`);
