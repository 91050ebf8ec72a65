// Prepares the suite logs: writes a generated access log into the folder that all of its programs get.
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { readInput } from "../program.node.ts";
import { logBlocks, type LogSize } from "./lines.ts";

const { folder, ...size } = readInput() as LogSize & { readonly folder: string };
const file = openSync(join(folder, "access.log"), "w");
for (const block of logBlocks(size)) writeSync(file, block);
closeSync(file);
