// npm run language [-- PATH...]: where the project's files break its language (docs/inside/language.md), or only these.
import { findingsOfProject } from "./language.ts";

const args = process.argv.slice(2).map((name) => name.replace(/\/$/, ""));
const isWanted = (path: string): boolean =>
  args.length === 0 || args.some((name) => path === name || path.startsWith(`${name}/`));

let count = 0;
for (const [path, findings] of findingsOfProject()) {
  if (!isWanted(path)) continue;
  count += findings.length;
  for (const { line, rule, text } of findings) console.log(`${path}:${line} ${rule}: ${text}`);
}
if (count > 0) process.exitCode = 1;
else console.log("no file breaks the language");
