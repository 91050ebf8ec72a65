// Where a position of a scenario's text is: the names of the fields around it, and what can be written there. It reads
// unfinished YAML, line by line, because a scenario that is being written is no YAML yet.

/** A field, or an item of a list. */
export type Step = string | typeof ITEM;
export const ITEM = null;

export interface TextPosition {
  readonly path: readonly Step[]; // of the map, the list or the field around it
  readonly kind: "name" | "value"; // of a field
  readonly prefix: string; // of the name or value that is being written
  readonly siblings: readonly string[]; // fields above it in the same map
}

interface Block {
  readonly column: number;
  readonly step: Step;
  readonly names: string[]; // of the map in it
}

interface Flow {
  readonly bracket: "{" | "[";
  readonly names: string[];
  name: string | null; // the field whose value is being written
  text: string; // since the last separator
}

const NAME = /^("[^"]*"|'[^']*'|[^\s#:{}[\],&*!|>'"%@`][^:#]*?)\s*:(?=\s|$)/;

const removeQuotes = (name: string): string => name.trim().replaceAll(/^["']|["']$/g, "");

/** `text` ends at the position. */
export function positionAt(text: string): TextPosition {
  const top: Block = { column: -1, step: ITEM, names: [] };
  const blocks: Block[] = [top];
  const flows: Flow[] = [];
  let longText = Number.POSITIVE_INFINITY; // the column of a field whose value is text in lines below it
  let rest = ""; // of the last line, after its names
  for (const line of text.split("\n")) {
    let column = line.length - line.trimStart().length;
    if (flows.length === 0) {
      if (line.trim() === "" || column > longText) {
        rest = line.trim() === "" ? "" : "|";
        if (line.trim() === "") leaveDeeper(blocks, column, false);
        continue;
      }
      longText = Number.POSITIVE_INFINITY;
      rest = line.slice(column);
      for (let hasNames = true; hasNames && !rest.startsWith("#");) {
        const item = /^-(?:\s+|$)/.exec(rest)?.[0];
        const [written, name] = item === undefined ? (NAME.exec(rest) ?? []) : [item];
        hasNames = written !== undefined;
        leaveDeeper(blocks, column, item !== undefined);
        if (written === undefined) break;
        if (name !== undefined) blocks.at(-1)!.names.push(removeQuotes(name));
        blocks.push({ column, step: name === undefined ? ITEM : removeQuotes(name), names: [] });
        const after = rest.slice(written.length);
        const space = after.length - after.trimStart().length;
        column += written.length + space;
        rest = after.trimStart();
        if (name !== undefined && space === 0 && after === "") rest = "";
        if (/^[|>]/.test(rest) && name !== undefined) longText = blocks.at(-1)!.column;
        if (name !== undefined) break;
      }
    } else rest = line;
    if (flows.length > 0 || /^[{[]/.test(rest)) readFlow(rest, flows);
  }
  return flows.length > 0 ? inFlow(blocks, flows) : inBlock(blocks, text, rest);
}

/** A list may begin in the column of the name before it. */
function leaveDeeper(blocks: Block[], column: number, isItem: boolean): void {
  for (;;) {
    const last = blocks.at(-1)!;
    const isAround =
      last.column < column || (last.column === column && isItem && last.step !== ITEM);
    if (isAround || blocks.length === 1) return;
    blocks.pop();
  }
}

function readFlow(text: string, flows: Flow[]): void {
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    const flow = flows.at(-1);
    if (quote !== "") {
      if (letter === quote) quote = "";
    } else if ((letter === '"' || letter === "'") && (flow?.text.trim() ?? "") === "")
      quote = letter;
    else if (letter === "#" && (at === 0 || text[at - 1] === " ")) return;
    else if (letter === "{" || letter === "[") {
      flows.push({ bracket: letter, names: [], name: null, text: "" });
      continue;
    } else if (letter === "}" || letter === "]") {
      flows.pop();
      const around = flows.at(-1);
      if (around === undefined) return;
      around.text += "x"; // a value is there
      continue;
    } else if (letter === "," && flow !== undefined) {
      flow.name = null;
      flow.text = "";
      continue;
    } else if (letter === ":" && flow?.bracket === "{" && /^\s?$/.test(text[at + 1] ?? "")) {
      flow.name = removeQuotes(flow.text);
      flow.names.push(flow.name);
      flow.text = "";
      continue;
    }
    if (flow !== undefined) flow.text += letter;
  }
}

const stepsOf = (blocks: readonly Block[]): readonly Step[] =>
  blocks.slice(1).map(({ step }) => step);

function inFlow(blocks: readonly Block[], flows: readonly Flow[]): TextPosition {
  const last = flows.at(-1)!;
  const path: Step[] = [...stepsOf(blocks)];
  for (const { bracket, name } of flows) {
    if (bracket === "[") path.push(ITEM);
    else if (name !== null) path.push(name);
  }
  return {
    path,
    kind: last.bracket === "[" || last.name !== null ? "value" : "name",
    prefix: last.text.trimStart(),
    siblings: last.names,
  };
}

function inBlock(blocks: readonly Block[], text: string, rest: string): TextPosition {
  const last = blocks.at(-1)!;
  const line = text.slice(text.lastIndexOf("\n") + 1);
  // A value is in the line of its name.
  const isValue =
    typeof last.step === "string" && NAME.test(line.trimStart().replace(/^(?:-\s+)+/, ""));
  const path = stepsOf(blocks);
  return { path, kind: isValue ? "value" : "name", prefix: rest, siblings: last.names };
}
