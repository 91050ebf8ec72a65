// One log while it is read, block by block: lines become requests, and unreadable lines are counted.
import { isFailure, type Failure } from "../../kit/reading/failure.ts";
import type { RequestSink } from "./arrivals.ts";
import type { LogFormat } from "./columns.ts";
import type { LineCounts, LineExample, NumberedPiece } from "./log-piece.ts";
import { MOST_LINES, RecordLines } from "./record-lines.ts";
import { requestReader, type RequestQuestion, type RequestReader } from "./requests.ts";

const RETURN = 13;
const HASH = 35;

/** Most requests that wait until their clients are looked up together. After each block, no request waits. */
const MOST_WAITING = 1 << 11;
/** At this number of waiting requests, clients are looked up: a broken record may add `MOST_LINES` requests at once. */
const WAITING_FOR_BLOCK = MOST_WAITING - MOST_LINES;
const WAITING = {
  atUs: new Float64Array(MOST_WAITING),
  clients: new Int32Array(MOST_WAITING),
  targets: new Int32Array(MOST_WAITING),
  units: new Float64Array(MOST_WAITING),
  lastsUs: new Float64Array(MOST_WAITING),
};
const LINE_COUNTS = [
  "lines",
  "unreadable",
  "withoutKey",
  "withoutEndpoint",
  "withoutDuration",
  "withoutCost",
  "roundedCosts",
  "notSelected",
] as const satisfies readonly (keyof LineCounts)[];

export const countsOf = (file: LineCounts): LineCounts =>
  Object.fromEntries(LINE_COUNTS.map((name) => [name, file[name]])) as unknown as LineCounts;

const EXAMPLES = 3;
const LONGEST_EXAMPLE = 200;
const decoder = new TextDecoder();

/** The name of a log in messages. */
export const logTitle = (name: string): string => (name === "-" ? "standard input" : name);

/** A block of bytes that ends with the end of a line, or with the end of the log. */
export interface LineBlock {
  readonly bytes: Uint8Array;
  readonly indexOfNewline: (from: number) => number; // -1: none
}

export class LogFile implements LineCounts {
  readonly name: string;
  readonly format: LogFormat;
  requests = 0;
  lines = 0;
  unreadable = 0;
  withoutKey = 0;
  withoutEndpoint = 0;
  withoutDuration = 0;
  withoutCost = 0;
  roundedCosts = 0;
  notSelected = 0;
  /** Whether a request was too late for the sink to sort. */
  isLate = false;
  readonly unreadableExamples: LineExample[] = [];
  /** The earliest time in the last block read. Of overlapping logs, the log with the lowest `turnUs` is read next. */
  turnUs: number;
  #blockUs = Number.POSITIVE_INFINITY;
  readonly #question: RequestQuestion;
  #reader: RequestReader;
  #namesToSkip: boolean;
  readonly #hasComments: boolean;
  #waiting = 0;
  /** Joins lines to records; null: each line is a record. */
  readonly #records: RecordLines | null;

  /** `isStart`: the lines to read begin at the start of the log. */
  constructor(
    name: string,
    format: LogFormat,
    question: RequestQuestion,
    reader: RequestReader,
    isStart: boolean = true,
  ) {
    this.name = name;
    this.format = format;
    this.#question = question;
    this.#reader = reader;
    this.#namesToSkip = isStart && format.others === "names";
    this.#hasComments = format.others === "comments";
    this.turnUs = reader.atUs;
    this.#records =
      reader.endsWithin === null
        ? null
        : new RecordLines(reader.endsWithin, {
            read: (bytes, from, to) => this.#readRecord(bytes, from, to),
            noteUnreadable: (line, number) => this.#noteUnreadable(line, number),
          });
  }

  /** Whether a record had several lines, or is not complete at the end of a block. */
  get hasLongRecord(): boolean {
    return this.#records?.hasLongRecord === true;
  }

  get isWholeSeconds(): boolean {
    return this.#reader.isWholeSeconds;
  }

  set isWholeSeconds(value: boolean) {
    this.#reader.isWholeSeconds = value;
  }

  get takesDurationOff(): boolean {
    return this.#reader.takesDurationOff;
  }

  get hasDurations(): boolean {
    return this.#reader.hasDurations;
  }

  get absentFields(): readonly string[] {
    return this.#reader.absentFields;
  }

  /** Reads a block. Returns a failure if column names in the middle of the log lack a needed column. */
  readBlock({ bytes, indexOfNewline }: LineBlock, sink: RequestSink): Failure | null {
    this.#blockUs = Number.POSITIVE_INFINITY;
    for (let from = 0; from < bytes.length;) {
      const newline = indexOfNewline(from);
      const end = newline < 0 ? bytes.length : newline;
      const to = end > from && bytes[end - 1] === RETURN ? end - 1 : end;
      this.lines++;
      const failure = to > from ? this.#readLine(bytes, from, to) : null;
      if (failure !== null) {
        this.#addTo(sink);
        return failure;
      }
      if (this.#waiting >= WAITING_FOR_BLOCK) this.#addTo(sink);
      from = end + 1;
    }
    this.#addTo(sink);
    if (this.#blockUs < Number.POSITIVE_INFINITY) this.turnUs = this.#blockUs;
    return null;
  }

  /** Call after the last block: a record that was never closed is read as single lines. */
  end(sink: RequestSink): void {
    this.#records?.end();
    this.#addTo(sink);
  }

  /** Adds lines that a thread has read. Threads read only a log that overlaps no other, so `turnUs` is not needed. */
  addPiece({ piece, clients, targets }: NumberedPiece, sink: RequestSink): void {
    const { columns, counts, examples } = piece;
    this.#namesToSkip = false;
    for (const { line, text } of examples)
      if (this.unreadableExamples.length < EXAMPLES)
        this.unreadableExamples.push({ line: this.lines + line, text });
    for (const name of LINE_COUNTS) this[name] += counts[name];
    const { atUs, clients: clientOf, targets: targetOf, units, lastsUs } = columns;
    const hasTargets = targetOf.length > 0;
    const hasCosts = units.length > 0;
    for (let i = 0; i < atUs.length; i++) {
      const target = hasTargets ? targetOf[i]! : 0;
      this.#send(
        sink,
        atUs[i]!,
        clients[clientOf[i]!]!,
        targets === null ? target : targets[target]!,
        hasCosts ? units[i]! : 1,
        hasCosts ? lastsUs[i]! : 0,
      );
    }
  }

  /** Counts a line that is too long for a block as unreadable. */
  skipLongLine(start: Uint8Array): void {
    this.#records?.end();
    this.lines++;
    this.#noteUnreadable(start, this.lines);
  }

  #readLine(bytes: Uint8Array, from: number, to: number): Failure | null {
    if (this.#namesToSkip) {
      this.#namesToSkip = false;
      return null;
    }
    if (this.#hasComments && bytes[from] === HASH) return this.#readNames(bytes.slice(from, to));
    if (this.#records !== null) this.#records.add(bytes, from, to, this.lines);
    else if (!this.#readRecord(bytes, from, to))
      this.#noteUnreadable(bytes.subarray(from, to), this.lines);
    return null;
  }

  /** Returns false if the record cannot be read. */
  #readRecord(bytes: Uint8Array, from: number, to: number): boolean {
    const reader = this.#reader;
    switch (reader.read(bytes, from, to)) {
      case "request":
        this.#blockUs = Math.min(this.#blockUs, reader.atUs);
        if (!reader.hasDuration) this.withoutDuration++;
        if (reader.costState !== "known") this.#noteCost(reader.costState);
        this.#note(reader);
        return true;
      case "unreadable":
        return false;
      case "without key":
        this.withoutKey++;
        return true;
      case "without endpoint":
        this.withoutEndpoint++;
        return true;
      case "not selected":
        this.notSelected++;
        return true;
    }
  }

  #note({ atUs, client, target, units, lastsUs }: RequestReader): void {
    const at = this.#waiting++;
    WAITING.atUs[at] = atUs;
    WAITING.targets[at] = target;
    WAITING.units[at] = units;
    WAITING.lastsUs[at] = lastsUs;
    this.#question.clients.queue(client.bytes, client.from, client.to);
  }

  #addTo(sink: RequestSink): void {
    const { atUs, clients, targets, units, lastsUs } = WAITING;
    this.#question.clients.takeQueued(clients);
    for (let i = 0; i < this.#waiting; i++)
      this.#send(sink, atUs[i]!, clients[i]!, targets[i]!, units[i]!, lastsUs[i]!);
    this.#waiting = 0;
  }

  #send(
    sink: RequestSink,
    atUs: number,
    client: number,
    target: number,
    units: number,
    lastsUs: number,
  ): void {
    if (sink.add(atUs, client, target, units, lastsUs)) this.requests++;
    else this.isLate = true;
  }

  /** Reads new names of columns: a server writes them at each start, and they may differ. */
  #readNames(line: Uint8Array): Failure | null {
    if (!decoder.decode(line).startsWith("#Fields:")) return null;
    const reader = requestReader(this.format, this.#question, [line]);
    if (isFailure(reader)) return reader;
    reader.isWholeSeconds = this.#reader.isWholeSeconds;
    this.#reader = reader;
    return null;
  }

  #noteCost(state: "rounded" | "missing"): void {
    if (state === "missing") this.withoutCost++;
    else this.roundedCosts++;
  }

  #noteUnreadable(line: Uint8Array, number: number): void {
    this.unreadable++;
    addExample(this.unreadableExamples, number, line);
  }
}

function addExample(examples: LineExample[], line: number, bytes: Uint8Array): void {
  if (examples.length >= EXAMPLES) return;
  examples.push({ line, text: decoder.decode(bytes.subarray(0, LONGEST_EXAMPLE)) });
}
