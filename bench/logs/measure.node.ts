// One candidate or control of the suite logs, by its name. Each is a program, and reads the same input.
import { readInput } from "../program.node.ts";

const { subject } = readInput() as { readonly subject: string };
switch (subject) {
  case "lines and timestamps":
    await import("./scan.node.ts");
    break;
  case "goaccess":
    await import("./goaccess.node.ts");
    break;
  case "duckdb":
    await import("./duckdb.node.ts");
    break;
  case "gunzip alone":
  case "unzstd alone":
    await import("./unpack.node.ts");
    break;
  default:
    await import("./replay.node.ts");
}
