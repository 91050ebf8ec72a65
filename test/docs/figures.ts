// `npm run docs:figures [-- PAGE...]`: types every command of the pages again and writes its output into their console
// blocks. What a machine measures (after `<!-- measured -->`) is only measured with `--measured`; its output is saved
// in docs/figures, and the tests compare the page with that file. The charts of a page are drawn anew too. The log that
// comes with Weir is packed again if its requests have changed.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { SAMPLE_LOG } from "#src/cli/first-steps.ts";
import { desk, DESKS, root } from "./desk.ts";
import { sampleLogs } from "./sample-logs.ts";
import { chartsOf, draw, withAlts } from "./pictures.ts";
import {
  figuresFile,
  renew,
  sessionsOf,
  tableIn,
  tablesOf,
  withOutputs,
  withTables,
} from "./sessions.ts";

/** Pages that hold nothing but figures of a machine. */
const OF_MACHINES: readonly string[] = [];

const args = process.argv.slice(2);
const measures = args.includes("--measured");
const named = args.filter((arg) => arg !== "--measured");
const unknown = named.find((arg) => arg.startsWith("-"));
if (unknown !== undefined) {
  console.error(
    `docs:figures: "${unknown}" is no option; use: npm run docs:figures [-- --measured] [PAGE...]`,
  );
  process.exit(2);
}
const problems: string[] = [];

for (const page of named.length === 0 ? [...Object.keys(DESKS), ...OF_MACHINES] : named) {
  const file = join(root, page);
  const text = readFileSync(file, "utf8");
  if (sessionsOf(text).length + tablesOf(text).length + chartsOf(text).length === 0)
    problems.push(`${page}: nothing on it is written by a command`);
  const how = DESKS[page];
  const { folder, type } = desk(how?.files?.());
  const outputs = withOutputs(text, (session) => {
    const printed = session.isMeasured
      ? measure(session.command)
      : runForPage(type, how?.shell(session.command) ?? null, session.command);
    if (printed === null) return session.shown;
    const lines = renew(session.shown, printed);
    if (typeof lines !== "string") return lines;
    problems.push(
      `${page}: "${session.command}" does not print "${lines}"; edit the block by hand`,
    );
    return session.shown;
  });
  const next = withTables(outputs, ({ command, rows }) => {
    const printed = measure(command);
    return printed === null ? rows : tableIn(printed);
  });
  rmSync(folder, { recursive: true });
  const drawn = await Promise.all(
    chartsOf(text).map(async (chart) => [chart.file, await draw(chart)] as const),
  );
  for (const [picture, { svg }] of drawn) writeFileSync(join(root, picture), svg);
  const alts = new Map(drawn.map(([picture, { alt }]) => [picture, alt]));
  const withCharts = withAlts(next, (chart) => alts.get(chart.file)!);
  if (withCharts !== text) {
    writeFileSync(file, withCharts);
    console.log(`${page}: written`);
  }
}
const sample = join(root, SAMPLE_LOG);
const log = sampleLogs["access.log"]!;
if (!existsSync(sample) || gunzipSync(readFileSync(sample)).toString() !== log) {
  mkdirSync(dirname(sample), { recursive: true });
  writeFileSync(sample, gzipSync(log, { level: 9 }));
  console.log(`${SAMPLE_LOG}: written`);
}

for (const problem of problems) console.error(problem);
if (measures) console.log("the formatter pads tables: npm run format");
process.exitCode = problems.length === 0 ? 0 : 1;

function runForPage(
  type: (shell: string) => string,
  shell: string | null,
  command: string,
): readonly string[] | null {
  if (shell === null) {
    problems.push(`"${command}" takes too long for a test; put <!-- measured --> before its block`);
    return null;
  }
  console.log(`$ ${command}`);
  const printed = type(shell);
  return printed === "" ? [] : printed.split("\n");
}

/** Null: this call does not renew measured figures. */
function measure(command: string): readonly string[] | null {
  if (!measures) return null;
  console.log(`$ ${command}`);
  const output = execFileSync("bash", ["-c", command], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
  const saved = join(root, figuresFile(command));
  mkdirSync(dirname(saved), { recursive: true });
  writeFileSync(saved, `${headOf(command)}\n${output}\n`);
  return output.split("\n");
}

function headOf(command: string): string {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  return `# ${command}: commit ${commit}, Node ${process.version}, ${availableParallelism()} cores`;
}
