// A head that may arrive in pieces. Each piece is looked at once, so that one of single bytes costs no more than others.
import { Failure } from "../../kit/reading/failure.ts";
import { MOST_HEAD_BYTES } from "./response-head.ts";

const BEGIN = "HTTP/1.";
const END = "\r\n\r\n";
/** The end of a line may be in the next piece. */
const STRAY = /[^\t\r\n\x20-\x7e\x80-\xff]|\r(?!\n|$)|(?<!\r)\n/;

export class HeadSoFar {
  #text = ""; // never read before it is whole: that would copy it
  #last = ""; // its last letters, in which its end may begin

  get length(): number {
    return this.#text.length;
  }

  /** Where the empty line at its end begins; null: later. A problem is reported at once, so that nothing waits for more. */
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

  /** Its text, with the bytes that follow it in the last piece. The next head begins. */
  take(): string {
    const text = this.#text;
    this.#text = this.#last = "";
    return text;
  }
}

const isBegin = (text: string): boolean => text.startsWith(BEGIN) || BEGIN.startsWith(text);
