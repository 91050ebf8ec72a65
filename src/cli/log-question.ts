// The flags about the lines of logs that every command on logs has: --key, --where, --format and --zone.
import { Failure, isFailure } from "../kit/reading/failure.ts";
import type { LogQuestion } from "../studies/replay/requests.ts";
import { parseKey } from "../studies/replay/selectors.ts";
import type { Arguments } from "./arguments.ts";
import { conditionsIn, formatNamed, zoneIn } from "./replay-question.ts";

type LinesQuestion = Pick<LogQuestion, "key" | "conditions" | "format" | "zoneUs">;

export function linesQuestion(
  { values, lists }: Arguments,
  typedKey: string = values.get("key") ?? "ip",
): LinesQuestion | Failure {
  const key = parseKey(typedKey);
  if (isFailure(key)) return new Failure(`--key: ${key.message}`);
  const conditions = conditionsIn(lists, "where");
  if (isFailure(conditions)) return conditions;
  const format = formatNamed(values.get("format"));
  if (isFailure(format)) return format;
  const zoneUs = zoneIn(values);
  return isFailure(zoneUs) ? zoneUs : { key, conditions, format, zoneUs };
}
