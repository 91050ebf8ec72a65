// `npm run docs:figures [-- PAGE...]`: types every command of the pages again and writes its output into their console
// blocks. What a machine measures (after `<!-- measured -->`) is only measured with `--measured`; its output is saved
// in docs/figures, and the tests compare the page with that file.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join } from "node:path";
import { atDesk, desk, root } from "./desk.ts";
import { figuresFile, renewed, sessionsOf, withOutputs, type Session } from "./sessions.ts";

const PAGES = ["README.md", "docs/swarm.md", "docs/benchmarking.md", "docs/reliability.md"];

const args = process.argv.slice(2);
const measures = args.includes("--measured");
const named = args.filter((arg) => arg !== "--measured");
const pages = named.length === 0 ? PAGES : named;
const { folder, type } = desk();
const problems: string[] = [];

for (const page of pages) {
  const file = join(root, page);
  const text = readFileSync(file, "utf8");
  if (sessionsOf(text).length === 0) problems.push(`${page}: it has no console block`);
  const next = withOutputs(text, (session) => {
    const printed = printedBy(session);
    if (printed === null) return session.shown;
    const lines = renewed(session.shown, printed);
    if (typeof lines !== "string") return lines;
    problems.push(
      `${page}: "${session.command}" does not print "${lines}"; edit the block by hand`,
    );
    return session.shown;
  });
  if (next !== text) {
    writeFileSync(file, next);
    console.log(`${page}: written`);
  }
}
rmSync(folder, { recursive: true });
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Null: nothing that this call is to renew. */
function printedBy({ command, isMeasured }: Session): readonly string[] | null {
  if (isMeasured && !measures) return null;
  const short = atDesk(command);
  if (!isMeasured && short === null) {
    problems.push(`"${command}" takes too long for a test; put <!-- measured --> before its block`);
    return null;
  }
  console.log(`$ ${command}`);
  if (!isMeasured) return type(short!).split("\n");
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
