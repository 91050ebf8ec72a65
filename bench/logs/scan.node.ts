// The control of the suite logs: finds each line of the file and reads its timestamp, without anything else.
import { closeSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { printValue, processorMs, readInput } from "../program.node.ts";

const NEWLINE = 10;
const ZERO = 48;
const CHUNK = 1 << 18;

const { folder } = readInput() as { readonly folder: string };
const startMs = processorMs();
const file = openSync(join(folder, "access.log"), "r");
const bytes = Buffer.alloc(2 * CHUNK);
let lines = 0;
let latest = 0;
let rest = 0;
for (;;) {
  const read = readSync(file, bytes, rest, CHUNK, null);
  if (read === 0) break;
  const length = rest + read;
  let from = 0;
  for (let end = bytes.indexOf(NEWLINE, from); end >= 0 && end < length;) {
    lines++;
    latest = Math.max(latest, timestampAt(bytes, from));
    from = end + 1;
    end = bytes.indexOf(NEWLINE, from);
  }
  bytes.copyWithin(0, from, length);
  rest = length - from;
}
closeSync(file);
if (latest === 0) throw new Error("no line has a timestamp");
printValue(lines / (processorMs() - startMs) / 1000);

/** The milliseconds of `$msec`, after two spaces. */
function timestampAt(line: Buffer, start: number): number {
  let at = start;
  while (line[at] !== 32) at++;
  let ms = 0;
  for (at += 3; line[at] !== 32; at++) if (line[at] !== 46) ms = ms * 10 + (line[at]! - ZERO);
  return ms;
}
