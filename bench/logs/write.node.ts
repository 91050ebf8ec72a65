// Prepares the suite logs: writes a generated access log, also packed, into the folder that all of its programs get.
import { closeSync, createReadStream, createWriteStream, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip, createZstdCompress } from "node:zlib";
import { readInput } from "../program.node.ts";
import { logBlocks, type LogSize } from "./lines.ts";

const { folder, ...size } = readInput() as LogSize & { readonly folder: string };
const name = join(folder, "access.log");
const file = openSync(name, "w");
for (const block of logBlocks(size)) writeSync(file, block);
closeSync(file);
for (const [ending, packer] of [
  [".gz", createGzip({ level: 1 })],
  [".zst", createZstdCompress()],
] as const)
  await pipeline(createReadStream(name), packer, createWriteStream(name + ending));
