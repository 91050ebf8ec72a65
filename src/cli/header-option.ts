// Reads a header that is given on the command line.
import type { ReceivedHeader } from "../limiter/limit-headers/advertised.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";

const HEADER = /^([!#$%&'*+\-.^_`|~\w]+):[ \t]*([\t -~\u0080-\u00ff]*)$/;

/** Messages omit the value, because it may be a credential. */
export function readHeader(option: string, text: string): ReceivedHeader | Failure {
  const [, name, value] = HEADER.exec(text) ?? [];
  return name === undefined || value === undefined
    ? new Failure(`--${option} takes a name and a value, such as 'Authorization: Bearer abc'`)
    : [name, value.trim()];
}

/** Reads the headers of a repeated flag. */
export function readHeaders(
  option: string,
  texts: readonly string[],
): readonly ReceivedHeader[] | Failure {
  const headers: ReceivedHeader[] = [];
  for (const text of texts) {
    const header = readHeader(option, text);
    if (isFailure(header)) return header;
    headers.push(header);
  }
  return headers;
}
