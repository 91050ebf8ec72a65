// The lines of a chunked body (RFC 9112, 7.1).
import { fieldName, TOKEN, VALUE } from "./response-head.ts";

const NAME = TOKEN.source.slice(1, -1);
const QUOTED = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t\x20-\x7e\x80-\xff])*"`;
const SIZE = new RegExp(`^([0-9A-Fa-f]{1,13})(?:;${NAME}(?:=(?:${NAME}|${QUOTED}))?)*$`);

/** The most bytes of one line between chunks, and of all trailers together. */
export const MOST_LINE_BYTES = 4_096;

/** The size of a chunk; extensions are ignored. Null: the line is invalid. */
export function chunkSize(line: string): number | null {
  const digits = SIZE.exec(line)?.[1];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/** Whether a trailer is valid. A length or a transfer coding is not: a reader might end the message elsewhere. */
export function isTrailer(line: string): boolean {
  const colon = line.indexOf(":");
  const name = colon < 0 ? null : fieldName(line.slice(0, colon));
  return (
    name !== null &&
    name !== "content-length" &&
    name !== "transfer-encoding" &&
    VALUE.test(line.slice(colon + 1))
  );
}
