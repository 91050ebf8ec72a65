// The bytes of a log as blocks of whole lines, and its first lines.
import { Failure } from "../../kit/reading/failure.ts";
import { isJsonMap } from "../../kit/reading/shape.ts";
import { HEAD_BYTES, headLines, withoutMark } from "./found-reader.ts";
import { parseJson } from "./json-lines.ts";
import type { LineBlock } from "./log-file.ts";
import { isParquet, isPlainFile, unpackChunks } from "./log-source.node.ts";

/** The longest line that is read, in bytes. Servers limit a request line and headers to some thousand bytes. */
const LONGEST_LINE = 1 << 20;
const NEWLINE = 10;
const HAR = /^\s*\{\s*"log"\s*:\s*\{/;
const LARGEST_HAR = 1 << 28;

/** A block, or the start of a line that is too long. */
export type LogBlock = LineBlock | { readonly longLine: Uint8Array };

export interface OpenLog {
  /** Whether the lines are the bytes of a file, which can be read from any position. */
  readonly isPlain: boolean;
  readonly head: readonly Uint8Array[]; // the first lines of the log
  /** All lines, including those in `head`. */
  readonly blocks: AsyncGenerator<LogBlock, void, undefined>;
  readonly close: () => Promise<void>;
}

export async function openLog(name: string): Promise<OpenLog | Failure> {
  const chunks = unpackChunks(name);
  const close = async (): Promise<void> => void (await chunks.return());
  const start = withoutMark(await readStart(chunks, HEAD_BYTES));
  if (isParquet(start)) {
    await close();
    return new Failure(
      "Parquet has its index at the end, so a pipe or an archive cannot be read; save the unpacked file",
    );
  }
  if (!isHar(start))
    return {
      isPlain: isPlainFile(name),
      head: headLines(start),
      blocks: blocksOf(withFirst(start, chunks)),
      close,
    };
  const bytes = Buffer.concat([start, await readStart(chunks, LARGEST_HAR)]);
  if (bytes.length > LARGEST_HAR) {
    await close();
    return new Failure(
      `a HAR of more than ${LARGEST_HAR >> 20} MiB is not read; write its entries as JSON lines, such as by jq -c '.log.entries[]'`,
    );
  }
  const lines = linesOfHar(bytes);
  return {
    isPlain: false,
    head: headLines(lines),
    blocks: blocksOf(withFirst(lines, chunks)),
    close,
  };
}

type Chunks = AsyncGenerator<Buffer, void, undefined>;

async function readStart(chunks: Chunks, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  while (size < bytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    parts.push(Buffer.from(next.value)); // a copy, because the next chunk may reuse the memory
    size += next.value.length;
  }
  return Buffer.concat(parts);
}

async function* withFirst(first: Buffer, rest: Chunks): Chunks {
  yield first;
  yield* rest;
}

/** Whether a file is HAR. Lines of container logs have "log" too, but are complete JSON without entries. */
function isHar(start: Buffer): boolean {
  if (!HAR.test(start.toString("latin1", 0, HEAD_BYTES))) return false;
  const first = new TextDecoder().decode(headLines(start)[0]);
  return !isJson(first) || parseEntries(first) !== null;
}

/** Turns the entries of a HAR document into lines. Other text remains as it is. */
function linesOfHar(bytes: Buffer): Buffer {
  const entries = parseEntries(bytes.toString());
  return entries === null
    ? bytes
    : Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

const isJson = (text: string): boolean => parseJson(text) !== undefined;

function parseEntries(text: string): readonly unknown[] | null {
  const document = parseJson(text);
  const log = document !== undefined && isJsonMap(document) ? document["log"] : undefined;
  const entries = log !== undefined && isJsonMap(log) ? log["entries"] : undefined;
  return Array.isArray(entries) ? entries : null;
}

/** Splits chunks into blocks of whole lines. `isWithinLine`: the chunks begin within a line, which is left out. */
export async function* blocksOf(
  chunks: Chunks,
  isWithinLine: boolean = false,
): AsyncGenerator<LogBlock, void, undefined> {
  let rest = Buffer.alloc(0);
  let isWithinLongLine = isWithinLine;
  for await (const chunk of chunks) {
    const from = isWithinLongLine ? chunk.indexOf(NEWLINE) + 1 : 0;
    if (isWithinLongLine && from === 0) continue;
    isWithinLongLine = false;
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > from) {
      // A line that began in the previous chunk becomes its own block, so that no other line is copied.
      const first = rest.length === 0 ? from : chunk.indexOf(NEWLINE, from) + 1;
      if (first > from) yield blockOf(Buffer.concat([rest, chunk.subarray(from, first)]));
      if (end > first) yield blockOf(chunk.subarray(first, end));
      rest = Buffer.from(chunk.subarray(end));
    } else rest = Buffer.concat([rest, chunk.subarray(from)]);
    if (rest.length <= LONGEST_LINE) continue;
    yield { longLine: rest };
    rest = Buffer.alloc(0);
    isWithinLongLine = true;
  }
  if (rest.length > 0) yield blockOf(rest);
}

export const blockOf = (bytes: Buffer): LineBlock => ({
  bytes,
  indexOfNewline: (from) => bytes.indexOf(NEWLINE, from),
});
