#!/usr/bin/env node
// The entry of every command. This file and its static import use nothing newer than Node 14, so that a Node that is
// too old for Weir can load them and report that.
import { tooOld } from "./version.node.ts";

const problem = tooOld(process.versions.node, import.meta.url);
if (problem === null) void import("./start.node.ts");
else {
  process.stderr.write(`weir: ${problem}\n`);
  process.exitCode = 2;
}
