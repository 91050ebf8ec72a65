// Patterns of Spring: paths such as /api/{id}/**, and hosts such as **.example.com.
import { isFailure } from "../../../kit/reading/failure.ts";
import { decode } from "../request-parts.ts";
import { regexOf, escapePattern } from "../regex.ts";

/** The regular expression of one part between separators; null: a part that has none. */
function partOf(part: string, separator: string): string {
  const not = `[^${separator}]`;
  return part
    .split(/(\{\w+(?::(?:[^{}]|\{[^{}]*\})*)?\}|\*|\?)/)
    .map((piece, index) => {
      if (index % 2 === 0) return escapePattern(piece);
      if (piece === "*") return `${not}*`;
      if (piece === "?") return not;
      const [, regex] = /^\{\w+:(.*)\}$/s.exec(piece) ?? [];
      return regex === undefined ? `${not}+` : `(?:${regex})`;
    })
    .join("");
}

type TextTest = (text: string) => boolean;

/**
 * A PathPattern. `/a/**` has `/a` too, and a slash at the end changes nothing unless `isExact`. Null: JavaScript cannot
 * have one of its regular expressions.
 */
export function pathTest(pattern: string, isExact: boolean): TextTest | null {
  const parts = pattern.split("/").slice(pattern.startsWith("/") ? 1 : 0);
  const isOpen = /^(?:\*\*|\{\*\w+\})$/.test(parts.at(-1) ?? "");
  const own = isOpen ? parts.slice(0, -1) : parts;
  const source = own
    .map((part) => (part === "**" ? "(?:/[^/]*)*" : `/${partOf(part, "/")}`))
    .join("");
  const end = isOpen ? "(?:/.*)?" : isExact ? "" : "/?";
  const regex = regexOf(`(?s)${source}${end}`, { isWhole: true });
  return isFailure(regex) ? null : (path) => regex.test(decode(path));
}

/** A pattern of AntPathMatcher with dots between its parts: `**` are any number of parts. A port is part of the host. */
export function hostTest(pattern: string): TextTest | null {
  const parts = pattern.split(".");
  const source = parts
    .map((part, index) => {
      const dot = index === parts.length - 1 ? "" : "\\.";
      return part === "**" ? `(?:[^.]*${dot || "(?:\\.|$)"})*` : `${partOf(part, ".")}${dot}`;
    })
    .join("");
  const regex = regexOf(source, { isWhole: true });
  if (isFailure(regex)) return null;
  return (host) => regex.test(host);
}

/** Values of the short form `Name=a,b`: a comma within braces separates nothing. */
export function valuesOf(text: string): readonly string[] {
  const values = [""];
  let depth = 0;
  for (const piece of text.split(/([{},])/)) {
    if (piece === "{") depth++;
    if (piece === "}") depth = Math.max(depth - 1, 0);
    if (piece === "," && depth === 0) values.push("");
    else values[values.length - 1] += piece;
  }
  return values.map((each) => each.trim()).filter((each) => each !== "");
}
