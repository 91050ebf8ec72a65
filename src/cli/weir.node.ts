#!/usr/bin/env node
// The entry. A Node that is too old for the rest still has to load this file and its one static import to report that.
// So neither uses anything newer than Node 14.
import { tooOld } from "./version.node.ts";

const problem = tooOld(process.versions.node, import.meta.url);
if (problem === null) void import("./start.node.ts");
else {
  process.stderr.write(`weir: ${problem}\n`);
  process.exitCode = 2;
}
