// How far the project is written as docs/inside/language.md asks: the findings of every file.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { textsOfCode, type ProjectText } from "./code.ts";
import { rules } from "./patterns.ts";
import {
  pageFindings,
  textsOfPage,
  textsOfScenario,
  withoutCode,
  type PageFinding,
} from "./prose.ts";

const root = join(import.meta.dirname, "../..");

/** Pages whose sentences are written elsewhere, and what names the forbidden words. */
const EXCEPT: ReadonlySet<string> = new Set([
  "docs/inside/language.md",
  "docs/reference/scenario-expectations.md",
  "docs/reference/scenario-format.md",
  "docs/reference/scenario-traffic.md",
  "docs/reference/scenario-world.md",
  "docs/reference/settings.md",
]);
const OWN = "test/language/";

/** Of files that git knows or would add, by their paths. */
export function findingsOfProject(): ReadonlyMap<string, readonly PageFinding[]> {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const paths = execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\0");
  const files = paths
    .filter((path) => isRead(path) && !EXCEPT.has(path) && !path.startsWith(OWN))
    .map((path) => [path, textAt(path)] as const)
    .filter((file): file is readonly [string, string] => file[1] !== null);
  const declaredIn = new Map<string, string[]>();
  const all = new Map<string, PageFinding[]>();
  for (const [path, text] of files) {
    const { findings, exportedTypes } = readFile(path, text);
    all.set(path, [...findings]);
    if (!path.startsWith("src/")) continue;
    for (const name of exportedTypes) declaredIn.set(name, [...(declaredIn.get(name) ?? []), path]);
  }
  for (const [name, places] of declaredIn) {
    if (places.length < 2) continue;
    for (const path of places)
      all.get(path)!.push({
        line: 1,
        rule: "type declared twice",
        text: `${name} is exported by ${places.length} files: qualify it by its room`,
      });
  }
  return new Map([...all].filter(([, findings]) => findings.length > 0));
}

const isRead = (path: string): boolean =>
  /^(src|test|bench|build)\/.+\.ts$/.test(path) ||
  /^src\/.+\.json$/.test(path) ||
  /^(docs\/.+|[A-Z]+)\.md$/.test(path) ||
  /^scenarios\/.+\.yaml$/.test(path);

/** Null: git still knows a file that was removed. */
function textAt(path: string): string | null {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

export function readFile(
  path: string,
  text: string,
): { readonly findings: readonly PageFinding[]; readonly exportedTypes: readonly string[] } {
  if (path.endsWith(".md"))
    return {
      findings: [...findingsIn(path, textsOfPage(text)), ...pageFindings(text)],
      exportedTypes: [],
    };
  if (path.endsWith(".yaml"))
    return { findings: findingsIn(path, textsOfScenario(text)), exportedTypes: [] };
  // JSON is an expression.
  const { texts, exportedTypes } = textsOfCode(path, path.endsWith(".json") ? `(${text})` : text);
  return { findings: findingsIn(path, texts), exportedTypes };
}

const findingsIn = (path: string, texts: readonly ProjectText[]): readonly PageFinding[] =>
  texts.flatMap(({ kind, text, line }) =>
    rules
      .filter((rule) => rule.kinds.includes(kind) && (rule.holdsIn?.(path) ?? true))
      .flatMap(({ name, pattern, instead }) => {
        const words = kind === "prose" || kind === "message" ? withoutCode(text) : text;
        const matches = pattern.global ? [...words.matchAll(pattern)] : [pattern.exec(words)];
        return matches
          .filter((match) => match !== null)
          .map((match) => ({
            line: line + lineOf(words, match.index),
            rule: name,
            text: `"${aroundMatch(words, match)}": ${instead}`,
          }));
      }),
  );

const lineOf = (text: string, offset: number): number =>
  text.slice(0, offset).split("\n").length - 1;

function aroundMatch(text: string, match: RegExpMatchArray): string {
  const [from, to] = [match.index!, match.index! + match[0].length];
  return `${text.slice(Math.max(0, from - 20), from)}[${match[0]}]${text.slice(to, to + 20)}`.replaceAll(
    /\s+/g,
    " ",
  );
}
