// npm run language [-- FILE...]: what the language of the project's files, or of these, breaks (docs/language.md).
// npm run language -- --write: lower what remains to what is there. It never rises: a new file breaks nothing.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findingsOfProject } from "./language.ts";
import { fallen, REMAINING, risen, type Remaining } from "./remaining.ts";

const args = process.argv.slice(2);
const findings = findingsOfProject();
const file = join(import.meta.dirname, REMAINING);

if (args.includes("--write")) {
  const before = JSON.parse(readFileSync(file, "utf8")) as Remaining;
  const more = risen(before, findings);
  const after = fallen(before, findings);
  writeFileSync(file, `${JSON.stringify(after, null, 2)}\n`);
  for (const [path, count, most] of more)
    console.error(`${path} breaks ${count} rules, ${most} remain: npm run language -- ${path}`);
  if (more.length > 0) process.exitCode = 1;
} else {
  for (const [path, all] of findings) {
    if (
      args.length > 0 &&
      !args.some((name) => path === name || path.startsWith(`${name.replace(/\/$/, "")}/`))
    )
      continue;
    if (args.length === 0) console.log(`${path}: ${all.length}`);
    else for (const { line, rule, text } of all) console.log(`${path}:${line} ${rule}: ${text}`);
  }
  const sum = [...findings.values()].reduce((total, all) => total + all.length, 0);
  if (args.length === 0) console.log(`${sum} in ${findings.size} files`);
}
