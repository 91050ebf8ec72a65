// Inserts an injected fault, or another list item, into the text of a scenario, and leaves the rest as its author wrote
// it.

import type { TextRange } from "../../kit/reading/source.ts";

export interface TextChange extends TextRange {
  readonly insert: string;
}

export interface SiteFault {
  readonly name: string;
  /** YAML fields without the time. */
  readonly fields: string;
}

/** The injected faults that a click can add. Readers change the numbers in the scenario. */
export const SITE_FAULTS: readonly SiteFault[] = [
  { name: "Gateway crashes", fields: "gateway: crash, node: 0" },
  { name: "Gateway restarts", fields: "gateway: restart, node: 0" },
  { name: "Gateway joins", fields: "gateway: join, nodes: 1" },
  { name: "Store is down", fields: "for: 2s, store: down" },
  { name: "Store is slow", fields: "for: 2s, store: { latency: 50ms }" },
  { name: "Clock jumps", fields: "clock: { skew: 1s }, node: 0" },
];

/** Adds an injected fault at a time to the list of a scenario, which may have none yet. */
export const withFault = (text: string, atSeconds: number, { fields }: SiteFault): TextChange =>
  withItem(text, "faults", `{ at: ${atSeconds}s, ${fields} }`);

/** Adds an item at the start of a list of the scenario. */
export function withItem(text: string, name: "faults" | "traffic", item: string): TextChange {
  const list = new RegExp(`^${name}:[ \\t]*(.*)$`, "m").exec(text);
  if (list === null) {
    const before = /^expect:/m.exec(text)?.index ?? text.length;
    const isInLine = before > 0 && text[before - 1] !== "\n";
    return { from: before, to: before, insert: `${isInLine ? "\n" : ""}${name}:\n  - ${item}\n` };
  }
  const end = list.index + list[0].length;
  const rest = list[1]!.trim();
  if (rest === "" || rest.startsWith("#")) {
    const [, indent = "  "] = /^\n(?:[ \t]*(?:#.*)?\n)*([ \t]*)- /.exec(text.slice(end)) ?? [];
    return { from: end, to: end, insert: `\n${indent}- ${item}` };
  }
  const open = text.indexOf("[", list.index) + 1;
  const isEmpty = /^\s*\]/.test(text.slice(open));
  return { from: open, to: open, insert: ` ${item}${isEmpty ? " " : ","}` };
}

export const applyChange = (text: string, { from, to, insert }: TextChange): string =>
  text.slice(0, from) + insert + text.slice(to);

/** Another time for an item; `at` is the range of its time. */
export const withTime = ({ from, to }: TextRange, atSeconds: number): TextChange => ({
  from,
  to,
  insert: `${atSeconds}s`,
});

/** Removes an item of a list, and the list of injected faults with its last item. */
export function withoutItem(text: string, { from, to }: TextRange): TextChange {
  const start = text.lastIndexOf("\n", from - 1) + 1;
  if (!/^\s*-\s+$/.test(text.slice(start, from))) {
    const [after = ""] = /^\s*,[ \t]*/.exec(text.slice(to)) ?? [];
    const [before = ""] = after === "" ? (/,?[ \t]*$/.exec(text.slice(0, from)) ?? []) : [];
    return { from: from - before.length, to: to + after.length, insert: "" };
  }
  const lineEnd = text.indexOf("\n", Math.max(from, to - 1));
  const end = lineEnd === -1 ? text.length : lineEnd + 1;
  const head = /(?:^|\n)faults:[ \t]*\n$/.exec(text.slice(0, start));
  const isAlone = head !== null && !/^\s*- /.test(text.slice(end));
  return { from: isAlone ? start - "faults:\n".length : start, to: end, insert: "" };
}
