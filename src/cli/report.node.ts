// Draws what was kept: nothing is run.
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { pageFault } from "./html-option.node.ts";
import { writtenPage } from "./html-report.node.ts";
import { readReport } from "./read-report.node.ts";
import { readText } from "./text-file.node.ts";

const DEFAULT_FILE = "reports/runs/report.html";

export const report: Action = async ({ operands, values, switches }, terminal, refuse) => {
  const file = values.get("out") ?? DEFAULT_FILE;
  const scenario = operands.find((each) => !each.endsWith(".json"));
  if (scenario !== undefined)
    return refuse(
      `report draws documents (*.json) that were kept; to run ${scenario} and draw it: weir run ${scenario} --html ${file}`,
    );
  const [operand = ""] = operands;
  const text = readText(operand);
  const read = "fault" in text ? text.fault : readReport(text.text);
  if (typeof read === "string") {
    terminal.err("fault" in text ? read : `${operand}: ${read}`);
    return EXIT.usage;
  }
  const fault = pageFault(file);
  if (fault !== null) return refuse(fault);
  const isWritten = await writtenPage(file, read, switches.has("open"), terminal, false);
  return isWritten ? EXIT.passed : EXIT.usage;
};
