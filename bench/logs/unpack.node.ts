// A control of the suite logs: unpacks the log, and does nothing with it. By wall-clock time, as replays of packed logs are:
// the library unpacks in a thread of its own.
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createZstdDecompress } from "node:zlib";
import { printValue, readInput } from "../program.node.ts";

const CHUNK = 1 << 18; // as a replay has them

const { folder, file, lines } = readInput() as {
  readonly folder: string;
  readonly file: string;
  readonly lines: number;
};
let bytes = 0;
const startMs = performance.now();
await pipeline(
  createReadStream(join(folder, file), { highWaterMark: CHUNK }),
  file.endsWith(".gz")
    ? createGunzip({ chunkSize: CHUNK })
    : createZstdDecompress({ chunkSize: CHUNK }),
  new Writable({
    write(chunk: Buffer, _, done) {
      bytes += chunk.length;
      done();
    },
  }),
);
if (bytes < lines) throw new Error(`${bytes} bytes of ${lines} lines`);
printValue(lines / (performance.now() - startMs) / 1000);
