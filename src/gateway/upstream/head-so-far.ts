// A response's head, which may arrive in pieces. Each piece is read once, so small pieces cost no more than large ones.
import { Failure } from "../../kit/reading/failure.ts";
import { MOST_HEAD_BYTES } from "./response-head.ts";

const BEGIN = "HTTP/1.";
const END = "\r\n\r\n";
/** Matches a stray control character, but no final carriage return: its line feed may arrive with the next piece. */
const STRAY = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n|$)|(?<!\r)\n/;

export class HeadSoFar {
  #text = ""; // only read when complete, because reading would copy it
  #last = ""; // the last characters of `#text`, which may be the beginning of END

  get length(): number {
    return this.#text.length;
  }

  /** Returns the index of END; null: the head is incomplete; a failure: it is invalid, even if incomplete. */
  add(piece: string): number | null | Failure {
    const before = this.#text.length;
    const last = this.#last;
    const window = last + piece;
    const found = window.indexOf(END);
    this.#text += piece;
    if (found >= 0) return before - last.length + found;
    this.#last = window.slice(1 - END.length);
    if (this.#text.length >= MOST_HEAD_BYTES) return new Failure("the head is too long");
    if (before < BEGIN.length && !isBegin(this.#text)) return new Failure("it is no HTTP/1");
    const isStray = STRAY.test(last.endsWith("\r") ? `\r${piece}` : piece);
    return isStray ? new Failure("a stray control character is in the head") : null;
  }

  /** Returns the head and any text after it. The next `add` begins another head. */
  take(): string {
    const text = this.#text;
    this.#text = this.#last = "";
    return text;
  }
}

const isBegin = (text: string): boolean => text.startsWith(BEGIN) || BEGIN.startsWith(text);
