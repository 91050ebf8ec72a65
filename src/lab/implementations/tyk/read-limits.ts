// Limits of Tyk as they are written, and patterns of its paths.
import { isFailure } from "../../../kit/reading/failure.ts";
import { SECOND, micros } from "../../../kit/units.ts";
import type { Smoothing } from "../../../limiter/core/limit.ts";
import type { Questions } from "../questions.ts";
import { regexOf } from "../regex.ts";
import { textIn, type YamlNode, type YamlNotes } from "../yaml-tree.ts";

/** What all parts of this reader share. */
export interface TykContext {
  readonly notes: YamlNotes;
  readonly questions: Questions;
  readonly problems: string[];
  /** Whether an option of the gateway is on. Without a file of options it is a question. */
  readonly isOn: (path: string) => boolean;
}

/** The numbers of a limit. A rate of 0 or -1 is no limit. */
export interface TykLimit {
  readonly rate: number;
  readonly per: number; // in seconds
  readonly quotaMax: number;
  readonly renewal: number; // in seconds
  readonly smoothing: Smoothing | null;
  readonly file: string;
  readonly node: YamlNode; // the field with its rate, or the object of the limit
}

/** A limit that limits nothing. */
export const noLimit = (file: string, node: YamlNode): TykLimit => ({
  rate: 0,
  per: 0,
  quotaMax: 0,
  renewal: 0,
  smoothing: null,
  file,
  node,
});

export interface TykEndpoint {
  readonly method: string;
  readonly path: string; // as written
  readonly test: (path: string) => boolean;
  readonly limit: TykLimit;
  readonly isDisabled: boolean;
}

export const fieldOf = (node: YamlNode | null | undefined, name: string): YamlNode | null =>
  node?.fields?.get(name) ?? null;

/** The field at a path, with each step noted as read. */
export function readAt(
  node: YamlNode | null,
  path: string,
  { notes }: TykContext,
): YamlNode | null {
  let found = node;
  for (const name of path.split(".")) {
    found = fieldOf(found, name);
    if (found === null) return null;
    notes.note(found, "read");
  }
  return found;
}

export const isTrue = (node: YamlNode | null): boolean => node?.value === true;

/** The numbers of a node with rate, per and quota. Null: it has none of them. */
export function limitIn(node: YamlNode | null, file: string, context: TykContext): TykLimit | null {
  if (node?.fields === null || node === null) return null;
  const numberOf = (name: string): number => {
    const field = readAt(node, name, context);
    if (field === null || field.value === null) return 0;
    const value = typeof field.value === "number" ? field.value : Number.NaN;
    if (Number.isFinite(value) && value >= -1) return value;
    context.problems.push(
      `${file}:${field.line}: ${name} must be a number of at least -1; got ${JSON.stringify(textIn(field))}`,
    );
    return 0;
  };
  const [rate, per, quotaMax, renewal] = ["rate", "per", "quota_max", "quota_renewal_rate"].map(
    numberOf,
  ) as [number, number, number, number];
  noteThrottle(node, context);
  const smoothing = smoothingIn(node, context);
  if ([rate, per, quotaMax, renewal].every((each) => each === 0)) return null;
  return { rate, per, quotaMax, renewal, smoothing, file, node: fieldOf(node, "rate") ?? node };
}

function noteThrottle(node: YamlNode, { notes }: TykContext): void {
  const [interval, retries] = ["throttle_interval", "throttle_retry_limit"].map((name) =>
    fieldOf(node, name),
  );
  for (const field of [interval, retries])
    if (field !== null && field !== undefined) notes.note(field, "read");
  if (Number(interval?.value ?? 0) > 0 && Number(retries?.value ?? 0) > 0)
    notes.note(
      interval!,
      "not understood",
      "a refused request waits and tries again, and is refused here",
    );
}

/** Null: it has no smoothing that is on and has all of its numbers. */
function smoothingIn(node: YamlNode, context: TykContext): Smoothing | null {
  const field = fieldOf(node, "smoothing");
  if (field === null) return null;
  context.notes.noteAll(field, "read");
  const numberOf = (name: string): number => Number(fieldOf(field, name)?.value ?? 0);
  const [threshold, step, trigger, delay] = ["threshold", "step", "trigger", "delay"].map(
    numberOf,
  ) as [number, number, number, number];
  const isValid = [threshold, step, trigger, delay].every((each) => each > 0);
  if (!isTrue(fieldOf(field, "enabled")) || !isValid) return null;
  if (context.isOn("enable_rate_limit_smoothing"))
    return { threshold, step, trigger, delayUs: micros(delay * SECOND) };
  context.notes.note(field, "read", "without effect, because enable_rate_limit_smoothing is off");
  return null;
}

/** The least time between two requests, by which policies are compared: 0 is the fastest. */
export const spacingOf = ({ rate, per }: Pick<TykLimit, "rate" | "per">): number =>
  rate <= 0 || per <= 0 ? 0 : per / rate;

/** The test of a pattern of paths. Null: JavaScript cannot have its regular expression, which is noted. */
export function patternTest(
  node: YamlNode,
  written: string,
  { isOn, notes }: TykContext,
): ((path: string) => boolean) | null {
  const isBalanced = written.split("{").length === written.split("}").length;
  const plain = (isBalanced ? written.replaceAll(/\{[^{}]*\}/g, "([^/]+)") : written)
    .replaceAll("/*/", "/[^/]+/")
    .replaceAll("/*", "/.*");
  const isAtStart =
    plain.startsWith("/") && isOn("http_server_options.enable_path_prefix_matching");
  const isAtEnd = !plain.endsWith("$") && isOn("http_server_options.enable_path_suffix_matching");
  const regex = regexOf(`${isAtStart ? "^" : ""}${plain}${isAtEnd ? "$" : ""}`);
  if (!isFailure(regex)) return (path) => regex.test(path);
  notes.note(
    node,
    "not understood",
    "this reader cannot read its pattern, so its limit is missing",
  );
  return null;
}
