// Finds what surrounds a position in a scenario's text: the names of the enclosing fields, and what can be written
// there. It reads line by line, because a scenario that is being written is not valid YAML yet.

/** A field, or an item of a list. */
export type Step = string | typeof ITEM;
export const ITEM = null;

export interface TextPosition {
  readonly path: readonly Step[]; // path of the enclosing map, list or field
  readonly kind: "name" | "value"; // whether a field's name or value is written there
  readonly prefix: string; // typed part of the name or value
  readonly siblings: readonly string[]; // fields above the position, in the same map
}

interface Block {
  readonly column: number;
  readonly step: Step;
  readonly names: string[]; // names in the map of this block
}

interface Flow {
  readonly bracket: "{" | "[";
  readonly names: string[];
  name: string | null; // the field whose value is being written
  text: string; // text since the last separator
}

const NAME = /^("[^"]*"|'[^']*'|[^\s#:{}[\],&*!|>'"%@`][^:#]*?)\s*:(?=\s|$)/;

const removeQuotes = (name: string): string => name.trim().replaceAll(/^["']|["']$/g, "");

/** The position is at the end of `text`. */
export function positionAt(text: string): TextPosition {
  const top: Block = { column: -1, step: ITEM, names: [] };
  const blocks: Block[] = [top];
  const flows: Flow[] = [];
  let longText = Number.POSITIVE_INFINITY; // column of a field with a block of text below
  let rest = ""; // rest of the last line, after its names
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

/** Removes the blocks that end at a column. A list may start in the column of the name before it. */
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
      around.text += "x"; // marks that a value exists
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
  // True if the value is on the same line as its name.
  const isValue =
    typeof last.step === "string" && NAME.test(line.trimStart().replace(/^(?:-\s+)+/, ""));
  const path = stepsOf(blocks);
  return { path, kind: isValue ? "value" : "name", prefix: rest, siblings: last.names };
}
