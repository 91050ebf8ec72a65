// Reads a conformance report from a file.
import { Failure } from "../../kit/reading/failure.ts";
import { footerOf, type Conformance, type ScenarioEntry } from "./conformance.ts";

type Fields = Readonly<Record<string, unknown>>;

export function readConformance(text: string): Conformance | Failure {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return new Failure(`this is not JSON: ${error.message}`);
    throw error;
  }
  if (!isFields(value) || value["format"] !== "weir-conformance/2")
    return new Failure(`this is no conformance report of format weir-conformance/2`);
  const { driver, seed, scenarios, footer } = value;
  if (footer === undefined) return new Failure("it ends without a footer: it was cut off");
  if (typeof driver !== "string" || typeof seed !== "number" || !Array.isArray(scenarios))
    return new Failure("driver, seed or scenarios are missing");
  const wrong = scenarios.findIndex((scenario) => !isScenario(scenario));
  if (wrong >= 0) return new Failure(`scenarios[${wrong}] has a field of the wrong type`);
  const entries = scenarios as readonly ScenarioEntry[];
  if (JSON.stringify(footer) !== JSON.stringify(footerOf(driver, entries)))
    return new Failure(
      "the counts of the footer are not those of the file: it was changed by hand, or by a merge",
    );
  return value as unknown as Conformance;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isList = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

const isText = (value: unknown): boolean => typeof value === "string";

const isScenario = (value: unknown): boolean =>
  isFields(value) &&
  isText(value["id"]) &&
  isList(value["expectations"], isText) &&
  isList(value["variants"], isVariant);

const isVariant = (value: unknown): boolean =>
  isFields(value) &&
  ["variant", "outcome", "history"].every((name) => isText(value[name])) &&
  ["requests", "refused", "rejected"].every((name) => typeof value[name] === "number") &&
  ["undefined", "number"].includes(typeof value["lost"]) &&
  isList(value["verdicts"], (verdict) => verdict === null || isText(verdict));
