// What the gateway makes of a record: its own readers say what is wrong with it, before it is kept.
import type { Configuration } from "../core/config.ts";
import type { Problem } from "../core/problems.ts";
import { readRecord } from "./as-configured.ts";
import type { JsonObject } from "./json.ts";
import { Refusal } from "./operation.ts";
import type { Family } from "./records/records.ts";

/** What it will do other than it may seem to; a refusal says everything that is wrong with it. */
export function judged(
  family: Family,
  id: string,
  document: JsonObject,
  configuration: Configuration,
): readonly string[] {
  const { problems } = readRecord(family, id, document, configuration);
  const faults = problems.filter(({ severity }) => severity === "fault");
  if (faults.length > 0) throw new Refusal(400, "The body does not fit", faults);
  return problems.map(sentence);
}

export const sentence = ({ path, message, fix }: Problem): string =>
  `${path.length === 0 ? "The body" : path.join(".")}: ${message}${fix === "" || message.endsWith("?") ? "" : `; ${fix}`}`;
