// Reads saved histories and finds their scenarios.
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { Failure } from "../../kit/reading/failure.ts";
import { readHistory } from "../scenario/history/read.ts";
import { unknownFlowIn } from "../scenario/flows.ts";
import { formatProblem } from "../../kit/reading/source.ts";
import type { Scenario } from "../scenario/types.ts";
import type { VariantHistory } from "./pipeline.ts";
import { readScenarios } from "./read-scenarios.node.ts";
import { DEFAULT_FOLDER } from "./scenario-files.node.ts";
import { whyUnreadable } from "../../kit/reading/text-file.node.ts";

export interface StoredRun extends VariantHistory {
  readonly scenario: Scenario;
}

export function readStoredRun(file: string, scenarioFile: string | undefined): StoredRun | Failure {
  let read: ReturnType<typeof readHistory>;
  try {
    read = readHistory(file, linesOf(file));
  } catch (error) {
    return new Failure(`${file}: ${whyUnreadable(error)}`);
  }
  const { history, problems } = read;
  if (history === null) return new Failure(...problems.map(formatProblem));
  const { scenario: id, variant: name } = history.header;
  const place = scenarioFile ?? scenarioFileOf(id);
  const { scenarios, errors } = readScenarios([place]);
  if (errors.length > 0)
    return new Failure(
      `${file}: this is a history of ${id}${scenarioFile === undefined ? "; name its scenario file with --scenario FILE" : ""}`,
      ...errors,
    );
  const scenario = scenarios[0]!;
  if (scenario.id !== id)
    return new Failure(`${file}: this is a history of ${id}, not of ${scenario.id}`);
  const variant = scenario.variants.find((each) => each.name === name);
  if (variant === undefined)
    return new Failure(
      `${file}: ${place} has no variant "${name}" any more, so it cannot check this history`,
    );
  const unknownFlow = unknownFlowIn(history, variant);
  if (unknownFlow !== null)
    return new Failure(
      `${file}: ${place} has no flow "${unknownFlow}" any more, so it cannot check this history`,
    );
  return { scenario, variant, history };
}

/** An existing file whose path corresponds to the id, else the path that Weir would write. */
function scenarioFileOf(id: string): string {
  const usual = `${DEFAULT_FOLDER}/${id}.yaml`;
  const places = [usual, `${DEFAULT_FOLDER}/${id}.yml`, `${id}.yaml`, `${id}.yml`];
  return places.find((place) => existsSync(place)) ?? usual;
}

const CHUNK = 1 << 16;

/** Yields the lines of a file one by one, because a long history does not fit into one string. */
function* linesOf(file: string): Generator<string, void> {
  const handle = openSync(file, "r");
  try {
    const decoder = new TextDecoder();
    const bytes = new Uint8Array(CHUNK);
    let rest = "";
    for (;;) {
      const length = readSync(handle, bytes);
      rest += decoder.decode(bytes.subarray(0, length), { stream: length > 0 });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
      if (length === 0) break;
    }
    if (rest !== "") yield rest;
  } finally {
    closeSync(handle);
  }
}
