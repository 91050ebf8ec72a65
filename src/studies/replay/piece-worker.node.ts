// A thread that reads one piece of a log after the other, and waits if it is too far ahead of the deciding thread.
import { readSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { requireValue } from "../../kit/reading/failure.ts";
import { enlargeColumn, type RequestSink } from "./arrivals.ts";
import { parseCondition } from "./conditions.ts";
import { readerFor, withoutMark } from "./found-reader.ts";
import { FORMATS } from "./formats.ts";
import { countsOf, LogFile } from "./log-file.ts";
import type { LogPiece, RequestColumns } from "./log-piece.ts";
import {
  FIRST_TO_WAIT_FOR,
  NEXT_PIECE,
  OVERHANG_BYTES,
  PIECE_BYTES,
  PIECES_AHEAD,
  type PieceSettings,
  type PlainQuestion,
  type ReadPiece,
} from "./log-threads.node.ts";
import { NameTable, type PackedNames } from "./names.ts";
import type { LogQuestion } from "./requests.ts";
import { formatOfText } from "./text-formats.ts";

/** A thread with more clients than this starts a new table, so that its names take little memory. */
const MOST_CLIENTS = 1 << 17;
const NEWLINE = 10;

const {
  file,
  bytes,
  head,
  question: plain,
  isWholeSeconds,
  progress,
} = workerData as PieceSettings;

const conditionsOf = (texts: readonly string[]) =>
  texts.map((text) => requireValue(parseCondition(text)));

const question: LogQuestion & { clients: NameTable } = {
  ...plain,
  conditions: conditionsOf(plain.conditions),
  labels: conditionsOf(plain.labels),
  clients: new NameTable(),
  targets: plain.hasTargets ? new NameTable() : null,
  format: formatOf(plain.format),
};
const { format, reader } = requireValue(readerFor(head, question));
reader.isWholeSeconds = isWholeSeconds;

function formatOf({ name, text }: PlainQuestion["format"]): LogQuestion["format"] {
  return text === undefined
    ? FORMATS.find((each) => each.name === name)!
    : requireValue(formatOfText(text));
}

/** Collects the requests of a piece in columns that are reused. */
class Rows implements RequestSink {
  #count = 0;
  #atUs = new Float64Array(1 << 13);
  #clients = new Int32Array(1 << 13);
  #targets = new Int32Array(1 << 13);
  #units = new Float64Array(1 << 13);
  #lastsUs = new Float64Array(1 << 13);

  add(atUs: number, client: number, target: number, units: number, lastsUs: number): boolean {
    if (this.#count === this.#atUs.length) this.#enlarge();
    const at = this.#count++;
    this.#atUs[at] = atUs;
    this.#clients[at] = client;
    this.#targets[at] = target;
    this.#units[at] = units;
    this.#lastsUs[at] = lastsUs;
    return true;
  }

  take(): RequestColumns {
    const count = this.#count;
    this.#count = 0;
    const hasTargets = question.targets !== null || plain.labels.length > 0;
    const hasCosts = question.cost !== undefined;
    return {
      atUs: this.#atUs.slice(0, count),
      clients: this.#clients.slice(0, count),
      targets: this.#targets.slice(0, hasTargets ? count : 0),
      units: this.#units.slice(0, hasCosts ? count : 0),
      lastsUs: this.#lastsUs.slice(0, hasCosts ? count : 0),
    };
  }

  #enlarge(): void {
    const size = 2 * this.#atUs.length;
    this.#atUs = enlargeColumn(this.#atUs, new Float64Array(size));
    this.#clients = enlargeColumn(this.#clients, new Int32Array(size));
    this.#targets = enlargeColumn(this.#targets, new Int32Array(size));
    this.#units = enlargeColumn(this.#units, new Float64Array(size));
    this.#lastsUs = enlargeColumn(this.#lastsUs, new Float64Array(size));
  }
}

const rows = new Rows();
const buffer = Buffer.allocUnsafeSlow(1 + PIECE_BYTES + OVERHANG_BYTES);
const handedOver = { clients: 0, targets: 0 };

/** Reads the lines that begin in a piece. Null: the last line is too long. */
function linesOf(place: number): Buffer | null {
  const start = place * PIECE_BYTES;
  const before = start === 0 ? 0 : 1; // a line begins here if the byte before ends one
  const wanted = Math.min(before + PIECE_BYTES + OVERHANG_BYTES, bytes - start + before);
  let length = 0;
  while (length < wanted) {
    const read = readSync(file, buffer, length, wanted - length, start - before + length);
    if (read === 0) break; // the file has become shorter
    length += read;
  }
  const all = buffer.subarray(0, length);
  const from = before === 0 ? 0 : all.indexOf(NEWLINE) + 1;
  if (before === 1 && (from === 0 || from > PIECE_BYTES)) return all.subarray(0, 0);
  const last = all.indexOf(NEWLINE, before + PIECE_BYTES - 1);
  if (last >= 0) return all.subarray(from, last + 1);
  return start - before + length < bytes ? null : all.subarray(from);
}

function newNames(table: NameTable, first: number): PackedNames & { readonly first: number } {
  return { first, ...table.packFrom(first) };
}

function readPiece(place: number): LogPiece | null {
  const lines = linesOf(place);
  if (lines === null) return null;
  const isStart = place === 0;
  const log = new LogFile("", format, question, reader, isStart);
  const content = isStart ? withoutMark(lines) : lines;
  requireValue(
    log.readBlock(
      { bytes: content, indexOfNewline: (from) => content.indexOf(NEWLINE, from) },
      rows,
    ),
  );
  if (log.hasLongRecord) return null; // the record may continue in the next piece
  const piece = {
    counts: countsOf(log),
    examples: log.unreadableExamples,
    columns: rows.take(),
    clients: newNames(question.clients, handedOver.clients),
    targets: question.targets === null ? null : newNames(question.targets, handedOver.targets),
  };
  handedOver.clients = question.clients.count;
  handedOver.targets = question.targets?.count ?? 0;
  if (question.clients.count > MOST_CLIENTS) {
    question.clients = new NameTable();
    handedOver.clients = 0;
  }
  return piece;
}

const pieces = Math.ceil(bytes / PIECE_BYTES);
for (;;) {
  const place = Atomics.add(progress, NEXT_PIECE, 1);
  if (place >= pieces) break;
  for (;;) {
    const first = Atomics.load(progress, FIRST_TO_WAIT_FOR);
    if (place < first + PIECES_AHEAD) break;
    Atomics.wait(progress, FIRST_TO_WAIT_FOR, first);
  }
  const read: ReadPiece = { place, piece: readPiece(place) };
  if (read.piece === null) {
    parentPort!.postMessage(read, []);
    break;
  }
  const { columns, clients } = read.piece;
  const moved = [...Object.values(columns), clients.bytes, clients.ends];
  parentPort!.postMessage(
    read,
    moved.map((column) => column.buffer as ArrayBuffer),
  );
}
