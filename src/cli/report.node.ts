// Renders saved results as a page, without running anything.
import { commandOf } from "../kit/command-line.ts";
import { isFailure } from "../kit/reading/failure.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { removeFiles, jsonFileOf, pageProblem } from "./html-option.node.ts";
import { readPageDocument, type PageDocument } from "./page-documents.node.ts";
import { writePage } from "./page-file.node.ts";
import { defaultFile } from "../kit/reading/untracked.node.ts";
import { reportProblems } from "./terminal.ts";

export const report: Action = async ({ operands, values, switches }, terminal, refuse) => {
  const file = values.get("out") ?? defaultFile("report.html");
  const page = operands.find((each) => each.endsWith(".html"));
  if (page !== undefined)
    return refuse(
      `report renders saved JSON documents, and ${page} is a page; render the JSON next to it: ${commandOf(["report", jsonFileOf(page), "--out", file])}`,
    );
  const scenario = operands.find((each) => !each.endsWith(".json"));
  if (scenario !== undefined)
    return refuse(
      `report renders saved JSON documents; to run ${scenario} and render it: ${commandOf(["run", scenario, "--html", file])}`,
    );
  const read = operands.map(readPageDocument);
  const failures = read.filter(isFailure);
  for (const { problems } of failures) reportProblems(terminal, "report", problems);
  if (failures.length > 0) return EXIT.usage;
  const documents = read.filter((each): each is PageDocument => !isFailure(each));
  const [run = null, ...others] = documents.flatMap((each) => ("run" in each ? [each.run] : []));
  if (others.length > 0)
    return refuse(
      "a page shows one run of scenarios, and several were named; render each on its own page",
    );
  const measured = documents.flatMap((each) => ("measured" in each ? [each.measured] : []));
  const limiters = documents.flatMap((each) => ("limiters" in each ? [each.limiters] : []));
  const problem = pageProblem(file, []) ?? removeFiles(file);
  if (problem !== null) return refuse(problem);
  const isWritten = await writePage(
    file,
    { run, measured, limiters },
    switches.has("open"),
    terminal,
  );
  return isWritten ? EXIT.passed : EXIT.usage;
};
