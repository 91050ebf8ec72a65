// `map` of nginx: the value of a variable by another one.
import type { Directive } from "./parse.ts";
import { patternWithSign, type Pattern } from "./patterns.ts";
import type { Expression } from "./request.ts";

/** nginx takes the entry that is equal, then masks of hosts, then patterns in their order, then `default`. */
export function mapOf(
  { words, block }: Directive,
  compile: (word: string) => Expression,
): Expression {
  const source = compile(words[0] ?? "");
  const entries = block ?? [];
  const hasHostnames = entries.some(({ name }) => name === "hostnames");
  const exact = new Map<string, Expression>();
  const masks: [HostMask, Expression][] = [];
  const patterns: [Pattern, Expression][] = [];
  let otherwise: Expression = () => "";
  for (const { name, words: values } of entries) {
    if (values.length === 0) continue; // hostnames, volatile
    const result = compile(values[0]!);
    if (name === "default") otherwise = result;
    else if (name.startsWith("~")) patterns.push([patternWithSign(name), result]);
    else if (hasHostnames && /^\*?\.|\.\*$/.test(name)) {
      masks.push([hostMask(name), result]);
      if (name.startsWith(".")) exact.set(name.slice(1).toLowerCase(), result);
    } else exact.set(name.replace(/^\\/, "").toLowerCase(), result);
  }
  const sorted = masks.toSorted(([a], [b]) => compareMasks(a, b));
  return (at) => {
    const written = source(at);
    const value = hasHostnames ? written.replace(/\.$/, "") : written;
    const key = value.toLowerCase();
    const found =
      exact.get(key) ??
      sorted.find(([mask]) => isUnder(mask, key))?.[1] ??
      // nginx compares no pattern with an empty value.
      (value === "" ? undefined : patterns.find(([isMatch]) => isMatch(value, at))?.[1]) ??
      otherwise;
    return found(at);
  };
}

/** `*.example.com` or `.example.com`, which has an end, and `www.example.*`, which has a start. */
export interface HostMask {
  readonly end: string | null;
  readonly start: string | null;
}

export function hostMask(mask: string): HostMask {
  const text = mask.toLowerCase();
  return text.endsWith(".*")
    ? { end: null, start: text.slice(0, -1) }
    : { end: text.replace(/^\*/, ""), start: null };
}

/** Masks with an end come first, and of two the longer one. */
export const compareMasks = (a: HostMask, b: HostMask): number =>
  (a.end === null ? 1 : 0) - (b.end === null ? 1 : 0) ||
  (b.end ?? b.start!).length - (a.end ?? a.start!).length;

export const isUnder = ({ end, start }: HostMask, host: string): boolean =>
  end === null
    ? host.startsWith(start!) && host.length > start!.length
    : host.endsWith(end) && host.length > end.length;
