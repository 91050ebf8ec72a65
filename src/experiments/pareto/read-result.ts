// A result that comes back from a file: whole and of this format, or one sentence that says what is wrong with it.
import { METRIC_NAMES, METRICS, type MetricName } from "./metrics.ts";
import { PARETO_FORMAT, type ParetoResult } from "./result.ts";
import { cellsOf, nameOf, type ParetoSuite } from "./suite.ts";

export function readResult(
  text: string,
  hash: (suite: ParetoSuite) => string,
): ParetoResult | string {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return "this is no JSON; was it cut off?";
    throw error;
  }
  if (!isObject(read) || read["format"] !== PARETO_FORMAT)
    return `this is no ${PARETO_FORMAT}, which weir pareto -o FILE writes`;
  if (!isObject(read["footer"]) || !Array.isArray(read["cells"]) || !isObject(read["suite"]))
    return "suite, cells or footer are missing";
  const { argv, commit, footer: end } = read;
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === "string"))
    return "argv: this is no list of words";
  if (commit !== null && typeof commit !== "string") return "commit: this is neither text nor null";
  if (!Number.isSafeInteger(end["of"]) || typeof end["complete"] !== "boolean")
    return "footer: it does not say of how many cells, and whether these are all";
  const result = read as unknown as ParetoResult;
  const { suite, cells, footer, seed, shard } = result;
  if (!Number.isSafeInteger(seed) || !isShard(shard)) return "seed or shard are missing";
  if (footer.cells !== cells.length)
    return `the footer counts ${footer.cells} cells, and there are ${cells.length}`;
  if (footer.complete !== (footer.cells === footer.of))
    return `footer.complete: ${footer.complete} is told of ${footer.cells} cells of ${footer.of}`;
  const { hash: told, ...own } = suite;
  if (hash(own) !== told) return "the suite has been changed: its hash is another one";
  const names = new Set(cellsOf(own).map(nameOf)); // each may come once
  for (const cell of cells) {
    if (!isObject(cell) || !names.delete(cell.name))
      return "a cell is in it that the suite has not, or twice";
    if (!areRuns(cell.runs, suite.runs)) return `"${cell.name}" has not the figures of all runs`;
  }
  return result;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isShard = (value: unknown): boolean =>
  isObject(value) && Number.isSafeInteger(value["index"]) && Number.isSafeInteger(value["of"]);

const areRuns = (value: unknown, count: number): boolean =>
  Array.isArray(value) &&
  value.length === count &&
  value.every(
    (run) => isObject(run) && METRIC_NAMES.every((metric) => isFigure(metric, run[metric])),
  );

/** Nothing of it can be less than nothing, and no more than all requests are answered wrongly. */
const isFigure = (metric: MetricName, value: unknown): boolean =>
  typeof value === "number" &&
  value >= 0 &&
  value <= (METRICS[metric].unit === "%" ? 100 : Number.MAX_VALUE);
