// Reads settings from the file, the environment and the command line. For each setting, the later source overrides the
// earlier one. All problems are reported together.
import { nearest, type Path, type Problem } from "../../kit/reading/problems.ts";
import {
  isJsonMap,
  reportName,
  formatValue,
  type JsonMap,
  type Shape,
  type Json,
} from "../../kit/reading/shape.ts";
import { reportReading } from "../../kit/reading/codes.ts";
import { formatProblemAt } from "../../kit/reading/problem-line.ts";
import {
  formatProblem,
  readSource,
  type FileKind,
  type PositionedProblem,
} from "../../kit/reading/source.ts";
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
  readonly file: string; // the file's name in messages
  readonly text: string;
}

interface SettingSources {
  readonly file: TextOfFile | null;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly flags: ReadonlyMap<string, string>;
}

/** Where a value was set, in words: "default", "weir.yaml:3", "WEIR_LISTEN_PORT", "--port". */
export interface SettingOrigin {
  readonly by: "default" | "file" | "environment" | "flag";
  readonly words: string;
}

export interface EffectiveSettings {
  /** Null if there is any error. */
  readonly settings: Settings | null;
  readonly rawValues: Readonly<Record<SettingName, Json>>; // values as written by the user
  readonly origins: Readonly<Record<SettingName, SettingOrigin>>;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

const SETTINGS_FILE: FileKind = {
  one: "set of settings",
  many: "settings",
  whenEmpty: "write at least `world: FILE`",
  insteadOfAlias: "write the value out",
};

/** The line that reports an error in a setting; `place` is a file, a variable or a flag. */
export const formatError = (place: string, code: SettingsCode, message: string, fix = ""): string =>
  formatProblemAt(place, { severity: "error", code, message, fix });

export const formatWarning = (
  place: string,
  code: SettingsCode,
  message: string,
  fix = "",
): string => formatProblemAt(place, { severity: "warning", code, message, fix });

interface SourcedValue {
  readonly value: Json;
  readonly origin: SettingOrigin;
  readonly report: (problem: Problem) => void;
}

export function readSettings({ file, environment, flags }: SettingSources): EffectiveSettings {
  const inFile: PositionedProblem[] = [];
  const elsewhere: string[] = [];
  const fromFile = file === null ? NOTHING : readFile(file, inFile);
  const rawValues = {} as Record<SettingName, Json>;
  const origins = {} as Record<SettingName, SettingOrigin>;
  const read: Record<string, unknown> = {};
  for (const name of SETTING_NAMES) {
    const { shape, fallback, flag } = settingNamed(name);
    const sourced =
      (flag && fromText("flag", `--${flag.name}`, flags.get(flag.name), shape, elsewhere)) ??
      fromText("environment", variableOf(name), environment[variableOf(name)], shape, elsewhere) ??
      fromFile.get(name);
    rawValues[name] = sourced?.value ?? fallback;
    origins[name] = sourced?.origin ?? DEFAULT;
    if (rawValues[name] === null) read[name] = null;
    else {
      const problems: Problem[] = [];
      read[name] = shape.read(rawValues[name], pathOf(name), problems);
      for (const problem of problems) sourced?.report(problem);
    }
  }
  const errors = [...inOrder(inFile).map(formatProblem), ...elsewhere];
  return {
    settings: errors.length === 0 ? (read as Settings) : null,
    rawValues,
    origins,
    errors,
    warnings: nearMissesIn(environment),
  };
}

const DEFAULT: SettingOrigin = { by: "default", words: "default" };
const NOTHING: ReadonlyMap<SettingName, SourcedValue> = new Map();

const pathOf = (name: SettingName): Path => name.split(".");

/** Renames an SCN code: functions that read both scenarios and settings report SCN codes. */
export const toSettingsCode = <P extends Problem>(problem: P): P => ({
  ...problem,
  code: problem.code.replace(/^SCN-/, "SET-"),
});

/** A file without any of these fields has other contents than settings. */
const SETTING_LINE = new RegExp(`^[\\s{"']*(?:${[...GROUPS.keys()].join("|")})["']?\\s*:`, "m");

function readFile(
  { file, text }: TextOfFile,
  found: PositionedProblem[],
): ReadonlyMap<SettingName, SourcedValue> {
  const source = readSource(file, text, SETTINGS_FILE);
  const [first] = source.problems;
  if (first !== undefined && first.code.endsWith("-YAML") && !SETTING_LINE.test(text)) {
    // The errors of YAML do not help with a file of another kind.
    const message = `${file} is no file of settings: none of its lines begins with one, such as world:`;
    const fix = "name weir.yaml, or leave --config out";
    found.push({ ...toSettingsCode(first), message, fix });
    return NOTHING;
  }
  found.push(...source.problems.map(toSettingsCode));
  if (source.value === undefined) return NOTHING;
  const report = (problem: Problem): void => void found.push(toSettingsCode(source.place(problem)));
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

/** The settings that the file sets. A setting whose value is null keeps its default. */
function valuesIn(top: Json, problems: Problem[]): ReadonlyMap<SettingName, Json> {
  const values = new Map<SettingName, Json>();
  const members = mapAt(top, [], [...GROUPS.keys()], "the settings", problems);
  for (const [group, names] of GROUPS) {
    const value = members[group] ?? null;
    if (value === null) continue;
    if (!isGroup(group)) {
      values.set(names[0]!, value);
      continue;
    }
    const within = names.map((name) => name.slice(group.length + 1));
    const inner = mapAt(value, [group], within, group, problems);
    for (const [index, name] of names.entries()) {
      const value = inner[within[index]!] ?? null;
      if (value !== null) values.set(name, value);
    }
  }
  return values;
}

function mapAt(
  value: Json,
  at: Path,
  names: readonly string[],
  called: string,
  problems: Problem[],
): JsonMap {
  if (!isJsonMap(value)) {
    reportReading(
      problems,
      "SCN-VALUE",
      at,
      `${formatValue(value)} is not a map of ${names.join(", ")}`,
    );
    return {};
  }
  for (const name of Object.keys(value))
    if (!names.includes(name)) {
      const sentence = `"${name}" is not a field of ${called}`;
      reportName(problems, "SCN-UNKNOWN-FIELD", [...at, name], sentence, name, names);
    }
  return Object.fromEntries(
    names.map((name) => [name, Object.hasOwn(value, name) ? value[name]! : null]),
  );
}

/** Returns null if unset. An empty variable is treated as unset, because shells often cannot remove a variable. */
function fromText(
  by: "flag" | "environment",
  words: string,
  value: string | undefined,
  { schema }: Shape<unknown>,
  found: string[],
): SourcedValue | null {
  if (value === undefined || (by === "environment" && value === "")) return null;
  const report = (problem: Problem): void => {
    const { code, message, fix } = toSettingsCode(problem);
    found.push(formatError(words, code as SettingsCode, message, fix));
  };
  return { value: parseValue(value, schema["type"] ?? null), origin: { by, words }, report };
}

/** Converts a string to the value that a file would contain, for a setting of this type. */
function parseValue(value: string, type: Json): Json {
  if (type === "boolean") return value === "true" || (value === "false" ? false : value);
  if (type === "array") return value.split(",").map((item) => item.trim());
  const isNumber = type === "integer" || type === "number";
  return isNumber && /^-?\d+(?:\.\d+)?$/.test(value) ? Number(value) : value;
}

/** Warns of variables named almost like a setting's. Other programs may use any other name with the prefix. */
function nearMissesIn(environment: SettingSources["environment"]): readonly string[] {
  const variables = SETTING_NAMES.map(variableOf);
  return Object.keys(environment).flatMap((name) => {
    if (!name.startsWith("WEIR_") || variables.includes(name) || OTHER_VARIABLES.has(name))
      return [];
    const suggestion = nearest(name, variables);
    return suggestion === null
      ? []
      : [
          formatWarning(
            name,
            "SET-UNKNOWN-VARIABLE",
            `this is no setting; did you mean ${suggestion}?`,
          ),
        ];
  });
}

/** Environment variables that Weir reads and that are not settings. */
const OTHER_VARIABLES: ReadonlySet<string> = new Set([
  "WEIR_CONFIG",
  "WEIR_DEBUG",
  "WEIR_RUNS",
  "WEIR_SEED",
  "WEIR_UNPACKED",
]);
