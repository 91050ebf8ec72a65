// Decodes a result from the text of a file, and rejects a result that is cut off, changed or of another format.
import { Failure } from "../../kit/reading/failure.ts";
import { METRIC_NAMES, METRICS, type ParetoMetricName } from "./metrics.ts";
import { PARETO_FORMAT, type ParetoResult } from "./result.ts";
import { cellsOf, nameOf, type ParetoSuite } from "./suite.ts";

export function readResult(
  text: string,
  hash: (suite: ParetoSuite) => string,
): ParetoResult | Failure {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return new Failure("this is no JSON; was it cut off?");
    throw error;
  }
  if (!isObject(document) || document["format"] !== PARETO_FORMAT)
    return new Failure(`this is no ${PARETO_FORMAT}, which weir pareto -o FILE writes`);
  if (
    !isObject(document["footer"]) ||
    !Array.isArray(document["cells"]) ||
    !isObject(document["suite"])
  )
    return new Failure("suite, cells or footer are missing");
  const { argv, commit, footer: end } = document;
  if (!Array.isArray(argv) || !argv.every((word) => typeof word === "string"))
    return new Failure("argv is not a list of strings");
  if (commit !== null && typeof commit !== "string")
    return new Failure("commit is neither a string nor null");
  if (!Number.isSafeInteger(end["of"]) || typeof end["complete"] !== "boolean")
    return new Failure('footer: "of" must be an integer and "complete" a boolean');
  const { answer: _, ...facts } = document; // follows from the others, and older files have none
  const result = facts as unknown as ParetoResult;
  const { suite, cells, footer, seed, shard } = result;
  if (!Number.isSafeInteger(seed) || !isShard(shard))
    return new Failure("seed or shard is missing");
  if (footer.cells !== cells.length)
    return new Failure(`the footer counts ${footer.cells} cells, and there are ${cells.length}`);
  if (footer.complete !== (footer.cells === footer.of))
    return new Failure(
      `footer.complete is ${footer.complete}, with ${footer.cells} cells of ${footer.of}`,
    );
  const { hash: statedHash, ...own } = suite;
  if (hash(own) !== statedHash)
    return new Failure("the suite has been changed: its hash does not match");
  const names = new Set(cellsOf(own).map(nameOf)); // names that no cell has used yet
  for (const cell of cells) {
    if (!isObject(cell) || !names.delete(cell.name))
      return new Failure("a cell is duplicate, or not part of the suite");
    if (!areRuns(cell.runs, suite.runs))
      return new Failure(`"${cell.name}" lacks metrics of some runs`);
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

/** No metric is negative, and a share of the requests is at most 100 %. */
const isFigure = (metric: ParetoMetricName, value: unknown): boolean =>
  typeof value === "number" &&
  value >= 0 &&
  value <= (METRICS[metric].unit === "%" ? 100 : Number.MAX_VALUE);
