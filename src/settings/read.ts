// From the file, the environment and the command line to what is in force: the later one wins, setting by
// setting. Everything that is wrong anywhere is told at once.
import { nearest, type Path, type Problem } from "../reading/problems.ts";
import {
  isMembers,
  reportName,
  shown,
  type Members,
  type Shape,
  type Json,
} from "../reading/shape.ts";
import { reportReading } from "../reading/codes.ts";
import { oneLine } from "../reading/legible.ts";
import {
  formatProblem,
  readSource,
  type FileKind,
  type PositionedProblem,
} from "../reading/source.ts";
import type { SettingsCode } from "./codes.ts";
import {
  GROUPS,
  isGroup,
  SETTING_NAMES,
  settingNamed,
  variableOf,
  type SettingName,
  type Settings,
} from "./table.ts";

export interface TextOfFile {
  readonly file: string; // as problems name it
  readonly text: string;
}

export interface Given {
  readonly file: TextOfFile | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlyMap<string, string>;
}

/** Who said a value, in words: "default", "weir.yaml:3", "WEIR_LISTEN_PORT", "--port". */
export interface Origin {
  readonly by: "default" | "file" | "environment" | "flag";
  readonly words: string;
}

export interface InForce {
  /** Null when there is any fault. */
  readonly settings: Settings | null;
  readonly said: Readonly<Record<SettingName, Json>>; // as written
  readonly origins: Readonly<Record<SettingName, Origin>>;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

export const SETTINGS_FILE: FileKind = {
  one: "set of settings",
  many: "settings",
  whenEmpty: "the least is `world: FILE`",
  insteadOfAlias: "write the value out",
};

export const line = (place: string, code: SettingsCode, message: string, fix = ""): string =>
  oneLine(`${place} ${code} ${message}${fix === "" || message.endsWith("?") ? "" : `; ${fix}`}`);

interface Saying {
  readonly value: Json;
  readonly origin: Origin;
  readonly report: (problem: Problem) => void;
}

export function readSettings({ file, environment, flags }: Given): InForce {
  const inFile: PositionedProblem[] = [];
  const elsewhere: string[] = [];
  const fromFile = file === null ? NOTHING : readFile(file, inFile);
  const said = {} as Record<SettingName, Json>;
  const origins = {} as Record<SettingName, Origin>;
  const read: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const { shape, otherwise, flag } = settingNamed(name);
    const saying =
      (flag === undefined
        ? null
        : fromText("flag", `--${flag}`, flags.get(flag), shape, elsewhere)) ??
      fromText("environment", variableOf(name), environment[variableOf(name)], shape, elsewhere) ??
      fromFile.get(name);
    said[name] = saying?.value ?? otherwise;
    origins[name] = saying?.origin ?? DEFAULT;
    if (said[name] === null) read[name] = null;
    else {
      const problems: Problem[] = [];
      read[name] = shape.read(said[name], pathOf(name), problems);
      for (const problem of problems) saying?.report(problem);
    }
  }
  const faults = [...inOrder(inFile).map(formatProblem), ...elsewhere];
  return {
    settings: faults.length === 0 ? (read as Settings) : null,
    said,
    origins,
    faults,
    warnings: strangersIn(environment),
  };
}

const DEFAULT: Origin = { by: "default", words: "default" };
const NOTHING: ReadonlyMap<SettingName, Saying> = new Map();

const pathOf = (name: SettingName): Path => name.split(".");

/** The codes of the readers that scenario files share with this one. */
export const renamed = <P extends Problem>(problem: P): P => ({
  ...problem,
  code: problem.code.replace(/^SCN-/, "SET-"),
});

function readFile(
  { file, text }: TextOfFile,
  found: PositionedProblem[],
): ReadonlyMap<SettingName, Saying> {
  const source = readSource(file, text, SETTINGS_FILE);
  found.push(...source.problems.map(renamed));
  if (source.value === undefined) return NOTHING;
  const report = (problem: Problem): void => void found.push(renamed(source.place(problem)));
  const problems: Problem[] = [];
  const values = valuesIn(source.value, problems);
  for (const problem of problems) report(problem);
  const lineOf = (name: SettingName): number => source.lineOf(pathOf(name));
  return new Map(
    [...values].map(([name, value]) => [
      name,
      { value, origin: { by: "file", words: `${file}:${lineOf(name)}` }, report },
    ]),
  );
}

const inOrder = (found: readonly PositionedProblem[]): readonly PositionedProblem[] =>
  found.toSorted((a, b) => a.line - b.line || a.column - b.column);

/** Every setting that the file says. Null says nothing: the default stays. */
function valuesIn(top: Json, problems: Problem[]): ReadonlyMap<SettingName, Json> {
  const found = new Map<SettingName, Json>();
  const members = mapAt(top, [], [...GROUPS.keys()], "the settings", problems);
  for (const [group, names] of GROUPS) {
    const value = members[group] ?? null;
    if (value === null) continue;
    if (!isGroup(group)) {
      found.set(names[0]!, value);
      continue;
    }
    const within = names.map((name) => name.slice(group.length + 1));
    const inner = mapAt(value, [group], within, group, problems);
    for (const [index, name] of names.entries()) {
      const one = inner[within[index]!] ?? null;
      if (one !== null) found.set(name, one);
    }
  }
  return found;
}

function mapAt(
  value: Json,
  at: Path,
  known: readonly string[],
  called: string,
  problems: Problem[],
): Members {
  if (!isMembers(value)) {
    reportReading(problems, "SCN-VALUE", at, `${shown(value)} is not a map of ${known.join(", ")}`);
    return {};
  }
  for (const name of Object.keys(value))
    if (!known.includes(name)) {
      const sentence = `"${name}" is not a field of ${called}`;
      reportName(problems, "SCN-UNKNOWN-FIELD", [...at, name], sentence, name, known);
    }
  return Object.fromEntries(
    known.map((name) => [name, Object.hasOwn(value, name) ? value[name]! : null]),
  );
}

/** An empty variable says nothing: that is how a shell takes one back. */
function fromText(
  by: "flag" | "environment",
  words: string,
  said: string | undefined,
  { schema }: Shape<unknown>,
  found: string[],
): Saying | null {
  if (said === undefined || (by === "environment" && said === "")) return null;
  const report = (problem: Problem): void => {
    const { code, message, fix } = renamed(problem);
    found.push(line(words, code as SettingsCode, message, fix));
  };
  return { value: plain(said, schema["type"] ?? null), origin: { by, words }, report };
}

/** A text as a file would mean it where a value of this type is wanted. */
function plain(said: string, type: Json): Json {
  if (type === "boolean") return said === "true" || (said === "false" ? false : said);
  if (type === "array") return said.split(",").map((item) => item.trim());
  const isNumber = type === "integer" || type === "number";
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(said) ? Number(said) : said;
}

/** Other programs may have variables of that beginning, so only a near miss is told. */
function strangersIn(environment: Given["environment"]): readonly string[] {
  const known = SETTING_NAMES.map(variableOf);
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith("WEIR_") || known.includes(name) || OTHERS.has(name)) return [];
    const meant = nearest(name, known);
    return meant === null
      ? []
      : [line(name, "SET-UNKNOWN-VARIABLE", `this is no setting; did you mean ${meant}?`)];
  });
}

/** What else Weir looks for in the environment. */
const OTHERS: ReadonlySet<string> = new Set([
  "WEIR_CONFIG",
  "WEIR_DEBUG",
  "WEIR_RUNS",
  "WEIR_SEED",
]);
