// Compares what survived `npm run mutation` so far with the lists of docs/mutation-testing.md: a change that no test
// notices needs its reason there, and a change that a test notices by now has no row. Folders without a list are skipped.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

interface Position {
  readonly line: number;
  readonly column: number;
}

interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Mutated {
  readonly source: string;
  readonly mutants: readonly Mutant[];
}

interface Report {
  readonly files: Readonly<Record<string, Mutated>>;
}

const LONGEST = 60;

/** On one line, and no longer than a cell of a table may be. */
function cell(code: string): string {
  const line = code.replaceAll(/\s+/g, " ").trim();
  const short = line.length <= LONGEST ? line : `${line.slice(0, LONGEST - 1)}…`;
  return `\`${short.replaceAll("|", "\\|")}\``;
}

function original(source: string, { start, end }: Mutant["location"]): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  lines.push((lines.pop() ?? "").slice(0, end.column - 1));
  return [(lines[0] ?? "").slice(start.column - 1), ...lines.slice(1)].join("\n");
}

/** The row of each that survived, without its reason, and its line in the source. */
const survivors = (file: string, { source, mutants }: Mutated): ReadonlyMap<string, number> =>
  new Map(
    mutants
      .filter(({ status }) => status === "Survived" || status === "NoCoverage")
      .map(({ location, replacement = "" }) => [
        `| ${file} | ${cell(original(source, location))} | ${cell(replacement)} |`,
        location.start.line,
      ]),
  );

const root = join(import.meta.dirname, "..");
const report = JSON.parse(
  readFileSync(join(root, "reports/runs/mutation/mutation.json"), "utf8"),
) as Report;
const lines = readFileSync(join(root, "docs/mutation-testing.md"), "utf8").split("\n");
const folders = lines.flatMap((line) => /^## `(.+)`/.exec(line)?.[1] ?? []);
const listed = lines
  .filter((line) => line.startsWith("| src/"))
  .map((line) =>
    line
      .split(/ +(?<!\\)\| +/)
      .slice(0, 3)
      .join(" | ")
      .concat(" |"),
  );

const faults = Object.entries(report.files)
  .filter(([file]) => folders.includes(dirname(file)))
  .flatMap(([file, mutated]) => {
    const found = survivors(file, mutated);
    const unsaid = [...found].filter(([row]) => !listed.includes(row));
    const gone = listed.filter((row) => row.startsWith(`| ${file} |`) && !found.has(row));
    return [
      ...unsaid.map(([row, line]) => `${row} line ${line} survived: why? |`),
      ...gone.map((row) => `${row} does not survive: take it out |`),
    ];
  });
console.log(faults.length === 0 ? "what survived is listed, with its reason" : faults.join("\n"));
process.exitCode = faults.length === 0 ? 0 : 1;
