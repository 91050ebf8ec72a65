/** Rules that neither the compiler nor the linter checks. Pure: takes a file, and returns its problems. */
import { failureProblems } from "./failure-forms.ts";
import { ROOMS, WINGS, type Room } from "./import-table.ts";
import { secretProblems } from "./secret-forms.ts";

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const scenarioFolders: readonly string[] = [
  "limits",
  "cost",
  "policy-merge",
  "endpoints",
  "algorithms",
  "smoothing",
  "management",
  "fleet",
  "regressions",
  "examples",
  "behaviours",
  "profiles",
];

export const longestFile = 350;
export const shortestFile = 15;

/** Files of src that are shorter, and the reason that each is a file. Workers and types need none. */
export const SHORT_FILES: ReadonlyMap<string, string> = new Map([
  ["src/studies/bench/with-parent.node.ts", "every process of a benchmark loads it first"],
  ["src/cli/renamer.node.ts", "two commands use it, and only it computes hashes"],
  ["src/cli/replay-threads.node.ts", "a worker does not load what its threads compute"],
  ["src/cli/weir.node.ts", "an old Node must load it"],
  ["src/studies/implementations/proof-threads.node.ts", "likewise"],
  [
    "src/gateway/management/interface-name.ts",
    "the command line lists the names, and loads no management API",
  ],
  ["src/gateway/management/records/turns.node.ts", "what takes turns is portable"],
  ["src/lab/report/format.ts", "a thread that writes reports does not load their schema"],
  ["src/show/page/script/insert.ts", "it is the only file that may write markup"],
  ["src/show/site/script/moved.ts", "a page that has moved loads nothing else"],
  ["src/lab/scenario/history/digest.node.ts", "a report is portable, and its hash is not"],
]);

/** Names that do not describe the content of a file. */
const emptyNames = new Set(["util", "utils", "helper", "helpers", "common", "manager", "misc"]);

export function problemsIn(file: SourceFile): readonly string[] {
  if (file.path.startsWith("scenarios/")) return scenarioProblems(file);
  const problems = [...nameProblems(file.path), ...textProblems(file)];
  // Programs for the limiters of others: they run outside of Weir, with packages of their own.
  const isForeign = /^src\/lab\/implementations\/[^/]+\/.*\.mjs$/.test(file.path);
  if (file.path.startsWith("test/")) return [...problems, ...sourceNameProblems(file)];
  if (!file.path.startsWith("src/") || isForeign) return problems;
  return [
    ...problems,
    ...lengthProblems(file),
    ...importProblems(file),
    ...clockProblems(file),
    ...secretProblems(file.path, withoutComments(file.text)),
    ...markupProblems(file),
    ...folderProblems(file),
    ...failureProblems(file.path, withoutComments(file.text)),
  ];
}

/** One name for src in every folder: a test that moves keeps its imports. */
function sourceNameProblems({ path, text }: SourceFile): readonly string[] {
  return /\b(?:from|import)\b[\s(]*"(?:\.\.\/)+src\//.test(text)
    ? [`${path} imports src by a relative path: write "#src/..."`]
    : [];
}

function nameProblems(path: string): readonly string[] {
  const problems: string[] = [];
  for (const part of path.split("/")) {
    if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.node)?(\.test|\.d)?(\.m?ts|\.mjs)?$/.test(part))
      problems.push(`${path} "${part}" is not kebab-case: rename it`);
    for (const word of part.split(/[-.]/))
      if (emptyNames.has(word))
        problems.push(`${path} "${word}" says nothing: name the file after its one subject`);
  }
  return problems;
}

function textProblems({ path, text }: SourceFile): readonly string[] {
  const problems: string[] = [];
  const lines = countLines(text);
  if (lines > longestFile)
    problems.push(`${path} has ${lines} lines, over ${longestFile}: split it by subject`);
  for (const [line, content] of text.split("\n").entries()) {
    const at = `${path}:${line + 1}`;
    if (/\b(TODO|FIXME|XXX)\b/.test(content))
      problems.push(`${at} leaves work for later: do it, or write an issue`);
    if (/(eslint|oxlint)-disable|@ts-(ignore|nocheck|expect-error)/.test(content))
      problems.push(`${at} silences a check: make the code pass it`);
    if (/^export default\b/.test(content)) problems.push(`${at} exports a default: export a name`);
    if (path.endsWith(".test.ts")) {
      if (/\b(test|it|describe)(\.\w+)*\.(skip|only|todo|fails)\b/.test(content))
        problems.push(`${at} leaves tests out: a test runs or is deleted`);
      if (/^\s+if \((name|kind|algorithm|driver)\b.*\) return;/.test(content))
        problems.push(`${at} passes without looking: leave the row out, or use test.skipIf`);
      if (/\bfc\.assert\(|^import \{.*\bassert\b.*"fast-check"/.test(content))
        problems.push(
          `${at} draws from a seed of its own: ask holds or holdsLater of test/runs.ts`,
        );
      if (/\b(test|it|describe)\b.*\(\s*["'`][^"'`]*\bshould\b/.test(content))
        problems.push(`${at} says "should": state the fact in the present tense`);
    }
  }
  return problems;
}

/** A short file makes its readers open one more. It is needed where it keeps an import out, or starts something. */
function lengthProblems({ path, text }: SourceFile): readonly string[] {
  const lines = countLines(text);
  const isNeeded = path.endsWith("-worker.node.ts") || SHORT_FILES.has(path) || hasOnlyTypes(text);
  if (lines >= shortestFile || isNeeded) return [];
  return [
    `${path} has ${lines} lines, under ${shortestFile}: merge it into the file of its subject, ` +
      `or add it with its reason to SHORT_FILES in test/tidy.ts`,
  ];
}

/** Each line at the margin begins, continues or ends a type. */
function hasOnlyTypes(text: string): boolean {
  return withoutComments(text)
    .split("\n")
    .every((line) => /^(?:$|[\s}]|import type |(?:export )?(?:interface|type) )/.test(line));
}

function countLines(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

/** Time and chance are arguments, so that one seed gives the same bytes everywhere. */
function clockProblems({ path, text }: SourceFile): readonly string[] {
  if (path.endsWith(".node.ts")) return [];
  const problems: string[] = [];
  const forbidden = /\b(Date\.now|Math\.random|performance\.now|new Date\(\)|crypto\.random\w+)/;
  for (const [line, content] of withoutComments(text).split("\n").entries()) {
    const found = forbidden.exec(content)?.[0];
    if (found !== undefined)
      problems.push(
        `${path}:${line + 1} reads ${found}: take the time or the random stream as an argument`,
      );
  }
  return problems;
}

/** Text becomes markup by the tag `html` alone, which escapes it. Each rule names the files that may do otherwise. */
const MARKUP: readonly (readonly [pattern: RegExp, files: readonly string[], instead: string])[] = [
  [
    /\bfrom "[^"]*\/escape\.ts"/,
    ["src/show/html/html.ts", "src/show/ci/junit.ts"],
    "write the markup with the tag html of src/show/html/html.ts",
  ],
  [
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\.write)\b/,
    ["src/show/page/script/insert.ts"],
    "pass Html to a function of src/show/page/script/insert.ts",
  ],
  [
    /\btrustMarkup\b/,
    [
      "src/show/html/html.ts",
      "src/show/html/saved-chart.ts",
      "src/show/page/live-server.node.ts",
      "src/show/page/live.ts",
      "src/show/page/page-text.node.ts",
      "src/show/site/algorithms/algorithm-pages.node.ts",
    ],
    "insert text, which is escaped, or add the file to MARKUP in test/tidy.ts",
  ],
];

function markupProblems({ path, text }: SourceFile): readonly string[] {
  const rules = MARKUP.filter(([, files]) => !files.includes(path));
  return withoutComments(text)
    .split("\n")
    .flatMap((content, line) =>
      rules.flatMap(([pattern, , instead]) => {
        const found = pattern.exec(content)?.[0];
        return found === undefined
          ? []
          : [`${path}:${line + 1} writes markup past the escaping (${found}): ${instead}`];
      }),
    );
}

const MAKES_FOLDERS = "src/kit/reading/folder.node.ts";

/** Node's recursive mkdir never ends where the system reports a missing folder, as below /proc. */
function folderProblems({ path, text }: SourceFile): readonly string[] {
  const isElsewhere =
    path !== MAKES_FOLDERS && /\bmkdirSync\b|\bmkdir\(/.test(withoutComments(text));
  return isElsewhere ? [`${path} makes a folder: use createFolders of ${MAKES_FOLDERS}`] : [];
}

function importProblems({ path, text }: SourceFile): readonly string[] {
  const folder = roomOf(path.slice("src/".length).replace(/\.ts$/, "")) ?? "";
  const allowed = ROOMS[folder];
  if (allowed === undefined)
    return [
      `${path} is in no folder of the import table: move it, or add its folder to test/import-table.ts`,
    ];
  return importsOf(text).flatMap((edge) => {
    const at = `${path}:${edge.line}`;
    if (edge.from.startsWith("node:"))
      return path.endsWith(".node.ts")
        ? []
        : [
            `${at} imports ${edge.from}: name the file *.node.ts, or take what it needs as an argument`,
          ];
    if (!edge.from.startsWith(".")) return packageProblems(at, folder, edge, allowed);
    const problems: string[] = [];
    const target = resolvePath(path, edge.from);
    if (target.endsWith(".node.ts") && !path.endsWith(".node.ts"))
      problems.push(
        `${at} imports ${target}, but is portable itself: pass it in, or name this file *.node.ts`,
      );
    const names = namesFor(folder, allowed, target);
    if (!mayImport(names, target, edge.typeOnly))
      problems.push(
        `${at} imports ${target}, but ${folder} may import only ${formatNames(names)}: ` +
          `move the shared part down, or change the tables of test/import-table.ts`,
      );
    return problems;
  });
}

/** Rooms of one part in many folders, such as the rule of each state. */
const partRooms = Object.keys(ROOMS).filter((room) => room.includes("/NAME/"));

/** The room of the table in which a module below src is: that of its part, or the innermost folder. */
function roomOf(module: string): string | undefined {
  const part = partRooms.find((room) => isOfParts(module, room));
  if (part !== undefined) return part;
  const folders = module.split("/").slice(0, -1);
  const around = folders.map((_, up) => folders.slice(0, folders.length - up).join("/"));
  return around.find((folder) => ROOMS[folder] !== undefined);
}

/** Whether `limiter/algorithms/fixed-window/rule` is of `limiter/algorithms/NAME/rule`. */
function isOfParts(module: string, room: string): boolean {
  const names = module.split("/");
  const pattern = room.split("/");
  return (
    names.length === pattern.length &&
    pattern.includes("NAME") &&
    pattern.every((name, index) => name === "NAME" || name === names[index])
  );
}

function packageProblems(at: string, folder: string, edge: Edge, allowed: Room): readonly string[] {
  const name = edge.from
    .split("/")
    .slice(0, edge.from.startsWith("@") ? 2 : 1)
    .join("/");
  if (allowed.packages === "anything" || allowed.packages.includes(name)) return [];
  return [
    `${at} imports the package ${name}, but ${folder} may use only ${formatNames(allowed.packages)}: ` +
      `do it in a folder that may, or change the table in test/import-table.ts`,
  ];
}

const wingOf = (module: string): string => module.split("/")[0]!;

/** What a room may import in the wing of the target; of a wing that it may not import, the wings that it may. */
function namesFor(
  folder: string,
  { ours, others }: Room,
  target: string,
): readonly string[] | "anything" {
  const [wing, own] = [wingOf(target.replace(/^src\//, "")), wingOf(folder)];
  if (wing === own) return [folder, ...ours];
  if (!WINGS[own]!.includes(wing)) return WINGS[own]!.map((name) => `src/${name}`);
  return others ?? "anything";
}

function mayImport(
  names: readonly string[] | "anything",
  target: string,
  typeOnly: boolean,
): boolean {
  if (!target.startsWith("src/")) return false;
  if (names === "anything") return true;
  const module = target.slice("src/".length).replace(/\.ts$/, "");
  return names.some((entry) => {
    const name = entry.replace(/^type /, "");
    const covers =
      module === name ||
      isOfParts(module, name) ||
      (module.startsWith(`${name}/`) && roomOf(module) === roomOf(`${name}/`));
    return covers && (typeOnly || !entry.startsWith("type "));
  });
}

function scenarioProblems({ path, text }: SourceFile): readonly string[] {
  const parts = path.split("/");
  const folder = parts[1] ?? "";
  const problems: string[] = [];
  if (parts.length < 3 || !scenarioFolders.includes(folder))
    problems.push(`${path} is in none of scenarios/{${scenarioFolders.join(",")}}: move it`);
  if (!/^[a-z0-9/-]+\.yaml$/.test(path))
    problems.push(`${path} is not a kebab-case name ending in .yaml: rename it`);
  const id = path.slice("scenarios/".length).replace(/\.yaml$/, "");
  const written = /^id: *["']?([^"'\s]+)/m.exec(text)?.[1];
  if (written !== id)
    problems.push(`${path} calls itself ${written ?? "nothing"}: its first line is "id: ${id}"`);
  if (!/^proves: *\[? *[A-Z\n]/m.test(text))
    problems.push(`${path} proves nothing: name its requirements of src/limiter/spec in proves`);
  return problems;
}

export interface Edge {
  readonly from: string;
  readonly line: number;
  readonly typeOnly: boolean;
}

/** Every module that a file names: static, re-exported, for its effects, and dynamic. */
export function importsOf(text: string): readonly Edge[] {
  const code = withoutComments(text);
  const statements =
    /^[ \t]*(?:import|export)\s+(type\s)?[^;"'`]*?\bfrom\s*["']([^"']+)["']|^[ \t]*import\s*["']([^"']+)["']|\bimport\s*\(\s*["'`]([^"'`]+)["'`]/gm;
  return [...code.matchAll(statements)].map((match) => ({
    from: match[2] ?? match[3] ?? match[4] ?? "",
    line: code.slice(0, match.index).split("\n").length,
    typeOnly: match[1] !== undefined,
  }));
}

/** Comments become blanks of the same lines; `//` inside an address follows a colon and stays. */
function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, " "))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, "$1");
}

function resolvePath(path: string, from: string): string {
  return new URL(from, `file:///${path}`).pathname.slice(1);
}

function formatNames(names: readonly string[] | "anything"): string {
  return names === "anything" ? names : names.join(", ") || "nothing";
}
