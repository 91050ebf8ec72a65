// Splits the bytes of a connection into the parts of its responses. Uses no socket.
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { chunkSize, isTrailer, MOST_LINE_BYTES } from "./chunks.ts";
import { HeadSoFar } from "./head-so-far.ts";
import {
  CHUNKED,
  parseHead,
  UNTIL_CLOSE,
  VALUE,
  type ResponseHead,
  type SeenLines,
} from "./response-head.ts";

export interface ResponseParts {
  /** Called with the head of a response that is not preliminary. */
  onHead(head: ResponseHead): void;
  /** Called with a part of the body. The next read overwrites `bytes`, so they are valid only during the call. */
  onBody(bytes: Buffer, from: number, to: number): void;
  /** Called at the end of a response. `hasSurplus`: more bytes have arrived, which belong to no response. */
  onEnd(hasSurplus: boolean): void;
}

/** The part of a response to which the next byte belongs. */
type Part = "head" | "length" | "until close" | "size" | "data" | "data end" | "trailers" | "over";

const EMPTY = Buffer.alloc(0);
const NONE = -1; // the index that `indexOf` returns if nothing is found

export class ResponseReader {
  readonly #parts: ResponseParts;
  readonly #seen: SeenLines;
  #part: Part = "over";
  #isHead = false;
  #left = 0; // bytes of the body or the chunk that were not read yet
  readonly #head = new HeadSoFar();
  #pending = EMPTY; // the beginning of an incomplete line
  #trailers = 0; // number of bytes of trailers in this response
  #preliminary = 0; // number of responses before the final one

  constructor(parts: ResponseParts, seen: SeenLines) {
    this.#parts = parts;
    this.#seen = seen;
  }

  /** Begins a response. `isHead`: the method of the request is HEAD. */
  begin(isHead: boolean): void {
    this.#part = "head";
    this.#isHead = isHead;
    this.#preliminary = 0;
  }

  /** Ends the response: `read` ignores all bytes until `begin`. */
  stop(): void {
    this.#part = "over";
    this.#pending = EMPTY;
    this.#head.take();
  }

  /** Whether the response ends with the connection. */
  get isUntilClose(): boolean {
    return this.#part === "until close";
  }

  /** Reads `count` bytes. Returns a problem, after which nothing may be read from this connection; null: none. */
  read(bytes: Buffer, count: number): string | null {
    let at = 0;
    while (at < count) {
      const part = this.#part;
      if (part === "over") return null; // the surplus is reported already, or the exchange has ended
      if (part === "head") {
        const next = this.#readHead(bytes, at, count);
        if (isFailure(next)) return next.message;
        at = next;
      } else if (part === "length" || part === "data" || part === "until close")
        at = this.#readData(bytes, at, count);
      else {
        const next = this.#readLine(bytes, at, count);
        if (isFailure(next)) return next.message;
        at = next;
      }
    }
    return null;
  }

  #readHead(bytes: Buffer, at: number, count: number): number | Failure {
    const before = this.#head.length;
    const end = this.#head.add(bytes.toString("latin1", at, Math.min(count, at + MOST_READ)));
    if (end === null) return count;
    if (isFailure(end)) return end;
    const head = parseHead(this.#head.take(), end, this.#isHead, this.#seen);
    if (isFailure(head)) return head;
    const next = at + end + 4 - before;
    if (head.status < 200) {
      const problem = this.#skipPreliminary(head);
      return problem === null ? next : new Failure(problem);
    }
    this.#enterBody(head, next < count);
    return next;
  }

  /** Returns a problem; null: the response is skipped. No request expects 100, and 101 would change the protocol. */
  #skipPreliminary({ status, isLast }: ResponseHead): string | null {
    if (status === 100 || status === 101) return `status ${status} is no response to this request`;
    if (isLast) return "a preliminary response closes the connection";
    return ++this.#preliminary > MOST_PRELIMINARY ? "too many preliminary responses" : null;
  }

  #enterBody(head: ResponseHead, hasMore: boolean): void {
    const { length } = head;
    this.#left = Math.max(0, length);
    this.#part =
      length === CHUNKED
        ? "size"
        : length === UNTIL_CLOSE
          ? "until close"
          : length === 0
            ? "over"
            : "length";
    this.#parts.onHead(head);
    if (length === 0) this.#parts.onEnd(hasMore);
  }

  #readData(bytes: Buffer, at: number, count: number): number {
    const part = this.#part;
    const to = part === "until close" ? count : Math.min(count, at + this.#left);
    if (part !== "until close") this.#left -= to - at;
    if (this.#left === 0 && part === "length") this.#part = "over";
    if (this.#left === 0 && part === "data") this.#part = "data end";
    this.#parts.onBody(bytes, at, to);
    if (part === "length" && this.#part === "over" && this.#left === 0)
      this.#parts.onEnd(to < count);
    return to;
  }

  /** Reads a line: the end of a chunk, the size of a chunk, or a trailer. */
  #readLine(bytes: Buffer, at: number, count: number): number | Failure {
    const feed = bytes.indexOf(0x0a, at);
    const to = feed === NONE || feed >= count ? count : feed + 1;
    const before = this.#pending.length;
    if (before + to - at > MOST_LINE_BYTES) return new Failure("a line between chunks is too long");
    const text = this.#pending.toString("latin1") + bytes.toString("latin1", at, to);
    const isWhole = text.endsWith("\r\n");
    const line = isWhole ? text.slice(0, -2) : text;
    if (!VALUE.test(isWhole ? line : withoutReturn(line)))
      return new Failure("a stray control character is between chunks");
    if (!isWhole) {
      this.#pending = Buffer.from(text, "latin1");
      return this.#part === "data end" && text !== "\r" ? new Failure(LONGER) : to;
    }
    this.#pending = EMPTY;
    const problem = this.#useLine(line, to < count);
    return problem === null ? to : new Failure(problem);
  }

  #useLine(line: string, hasMore: boolean): string | null {
    if (this.#part === "data end") {
      this.#part = "size";
      return line === "" ? null : LONGER;
    }
    if (this.#part === "size") {
      const size = chunkSize(line);
      if (size === null) return "a chunk has no valid size";
      this.#left = size;
      this.#trailers = 0;
      this.#part = size === 0 ? "trailers" : "data";
      return null;
    }
    if (line !== "") {
      this.#trailers += line.length;
      if (this.#trailers > MOST_LINE_BYTES) return "the trailers are too long";
      return isTrailer(line) ? null : "a trailer is malformed";
    }
    this.#part = "over";
    this.#parts.onEnd(hasMore);
    return null;
  }
}

const LONGER = "a chunk is longer than its size";

/** The most bytes of a head that are decoded at once: more than the longest head, so that a longer one is noticed. */
const MOST_READ = 16_400;

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line);

const MOST_PRELIMINARY = 32;
