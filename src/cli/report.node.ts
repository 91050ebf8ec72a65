// Draws what was kept: nothing is run.
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { cleared, jsonBeside, pageFault } from "./html-option.node.ts";
import { keptIn, type Kept } from "./kept-documents.node.ts";
import { writtenPage } from "./page-file.node.ts";
import { defaultFile } from "../reading/untracked.node.ts";

export const report: Action = async ({ operands, values, switches }, terminal, refuse) => {
  const file = values.get("out") ?? defaultFile("report.html");
  const page = operands.find((each) => each.endsWith(".html"));
  if (page !== undefined)
    return refuse(
      `report renders saved JSON documents, and ${page} is a page; render the JSON next to it: weir report ${jsonBeside(page)} --out ${file}`,
    );
  const scenario = operands.find((each) => !each.endsWith(".json"));
  if (scenario !== undefined)
    return refuse(
      `report renders saved JSON documents; to run ${scenario} and render it: weir run ${scenario} --html ${file}`,
    );
  const read = operands.map(keptIn);
  const faults = read.filter((each) => typeof each === "string");
  for (const fault of faults) terminal.err(fault);
  if (faults.length > 0) return EXIT.usage;
  const kept = read.filter((each): each is Kept => typeof each !== "string");
  const [run = null, ...others] = kept.flatMap((each) => ("run" in each ? [each.run] : []));
  if (others.length > 0)
    return refuse(
      "a page shows one run of scenarios, and several were named; render each on its own page",
    );
  const measured = kept.flatMap((each) => ("measured" in each ? [each.measured] : []));
  const fault = pageFault(file, []) ?? cleared(file);
  if (fault !== null) return refuse(fault);
  const isWritten = await writtenPage(file, { run, measured }, switches.has("open"), terminal);
  return isWritten ? EXIT.passed : EXIT.usage;
};
