// The way back from a scenario to the form: which position of the form has this text. What the form
// has no field for makes it no position, so that the form and the text never contradict each other.
import { isJsonMap, type Json, type JsonMap } from "../../kit/reading/shape.ts";
import { readSource, type YamlSource } from "../../kit/reading/source.ts";
import { parseDuration, SECOND, micros } from "../../kit/units.ts";
import { SCENARIO_FILE } from "../../lab/scenario/read/decode.ts";
import { shortDuration } from "../../studies/replay/candidates.ts";
import { POPULATIONS, type TriedPopulation } from "../../studies/try/populations.ts";
import { TRY_ID } from "../../studies/try/as-scenario.ts";
import { behaviourCalled, TRY_RETRIES } from "../../studies/try/retries.ts";
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  formScenario,
  USUAL_STATE,
  type FormChange,
  type FormState,
} from "./form.ts";

const mapIn = (value: Json | undefined): JsonMap =>
  value !== undefined && isJsonMap(value) ? value : {};
const listIn = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? (value as readonly Json[]) : [];
const textIn = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const secondsIn = (value: Json | undefined): number =>
  typeof value === "number" ? value : (parseDuration(textIn(value)) ?? Number.NaN) / SECOND;

/** Null if the form cannot show the text. */
export function formStateOf(text: string, source: YamlSource): FormState | null {
  const value = mapIn(source.value);
  if (value["id"] !== TRY_ID) return null;
  const state = likelyState(text, source, value);
  if (state === null || !isPosition(state)) return null;
  const written = readSource("", formScenario(state), SCENARIO_FILE);
  const isSame =
    JSON.stringify(canonical(mapIn(written.value))) === JSON.stringify(canonical(value));
  return isSame ? state : null;
}

/** What the fields are if the form has this text. The rest of the text is compared afterwards. */
function likelyState(text: string, { rangeOf }: YamlSource, value: JsonMap): FormState | null {
  const world = mapIn(value["world"]);
  const policy = mapIn(Object.values(mapIn(world["policies"]))[0]);
  const matrix = mapIn(value["matrix"]);
  const limiters = listIn(matrix["algorithm"] ?? matrix["gateway"]).map((each) =>
    typeof each === "string" ? { name: each, burst: null } : limiterIn(mapIn(each)),
  );
  const traffic = listIn(value["traffic"]).map(mapIn);
  const flows = traffic.filter((item) => item["call"] === undefined);
  const steady = flows.find(({ name }) => name === "steady") ?? {};
  const burst = flows.find(({ name }) => name === "burst-1");
  const clients = Number(steady["clients"]);
  const drawn = mapIn(steady["population"]);
  const limit = {
    rate: Number(policy["rate"]),
    perUs: micros(Math.round(secondsIn(policy["per"]) * SECOND)),
  };
  const population = Object.entries(POPULATIONS).find(([, each]) =>
    isDrawnAs(
      each,
      steady,
      flows.some(({ name }) => name === "scraper"),
    ),
  );
  const retry = TRY_RETRIES.find((name) => isSentAgain(steady["behaviour"] ?? null, name, limit));
  const [first, second = first] = limiters;
  if (first === undefined || second === undefined || limiters.length > 2) return null;
  if (population === undefined || retry === undefined) return null;
  const faults = listIn(value["faults"]).map((_, index) => {
    const range = rangeOf(["faults", index]);
    return range === null ? "" : text.slice(range.from, range.to);
  });
  if (faults.some((fault) => !/^\{.*\}$/.test(fault))) return null;
  return {
    numbers: {
      ...USUAL_STATE.numbers,
      rate: limit.rate,
      per: limit.perUs / SECOND,
      burst: limiters.find(({ burst: size }) => size !== null)?.burst ?? USUAL_STATE.numbers.burst,
      clients,
      each: Number((Number(drawn["rate"] ?? steady["rate"]) / clients).toFixed(6)),
      atOnce: burst === undefined ? 0 : Number(burst["burst"]) / clients,
      gateways: Number(mapIn(world["fleet"])["nodes"] ?? 1),
      seconds: secondsIn(steady["for"]),
    },
    names: { first: first.name, second: second.name, population: population[0], retry },
    faults,
    changes: traffic.filter((item) => item["call"] !== undefined).map(changeIn),
  };
}

const limiterIn = (gateway: JsonMap): { readonly name: string; readonly burst: number | null } => ({
  name: textIn(gateway["algorithm"] ?? gateway["profile"]),
  burst: typeof gateway["burst"] === "number" ? gateway["burst"] : null,
});

const changeIn = (item: JsonMap): FormChange => ({
  at: textIn(item["at"]),
  rate: Number(mapIn(item["body"])["rate"]),
});

function isDrawnAs(
  { gaps, rates, scraper }: TriedPopulation,
  { population, skew }: JsonMap,
  hasScraper: boolean,
): boolean {
  if (gaps === null) return population === undefined;
  const drawn = mapIn(population);
  const has = (kind: string, name: string): boolean =>
    (rates?.kind === kind) === (drawn[name] !== undefined);
  return (
    drawn["gaps"] === gaps.family &&
    drawn["cv"] === gaps.cv &&
    has("pareto", "pareto") &&
    has("lognormal", "lognormal") &&
    (rates?.kind === "zipf") === (skew !== undefined) &&
    scraper > 0 === hasScraper
  );
}

/** Whether this is the behaviour of that name, as far as it differs from those of other names. */
function isSentAgain(
  written: Json,
  name: (typeof TRY_RETRIES)[number],
  limit: Parameters<typeof behaviourCalled>[1],
): boolean {
  const behaviour = behaviourCalled(name, limit);
  if (behaviour.kind === "ignore") return written === "ignore";
  if (!isJsonMap(written)) return false;
  if (behaviour.kind === "honour_retry_after") return written["honourRetryAfter"] !== undefined;
  if (behaviour.kind !== "backoff") return written[behaviour.kind] !== undefined;
  const { base, jitter, factor, max } = mapIn(written["backoff"]);
  return (
    base === shortDuration(behaviour.baseUs) &&
    jitter === behaviour.jitter &&
    factor === behaviour.factor &&
    (behaviour.maxUs === undefined) === (max === undefined)
  );
}

/** Whether each field of the form has such a position. */
function isPosition({ numbers, names, changes }: FormState): boolean {
  const areNumbers = FORM_NUMBERS.every(({ name, least, most, step }) => {
    const number = numbers[name];
    return number >= least && number <= most && Number.isInteger((number - least) / step);
  });
  const areNames = FORM_CHOICES.every(({ name, groups }) =>
    groups.some((group) => group.names.includes(names[name])),
  );
  return areNumbers && areNames && changes.every(({ rate }) => rate >= 1);
}

/** What two texts of one position have in common: not their sentences, nor what they call the limit. */
function canonical(value: JsonMap): Json {
  const world = mapIn(value["world"]);
  const policies = Object.values(mapIn(world["policies"])).map((each) =>
    without(mapIn(each), ["rate", "per"]),
  );
  const traffic = listIn(value["traffic"]).map((each) => {
    const { call } = mapIn(each);
    if (call === undefined) return each;
    const isOfLimit = textIn(call).startsWith("PUT api/portal/policies/");
    return { ...without(mapIn(each), ["call", "name"]), isOfLimit };
  });
  const matrix = mapIn(value["matrix"]);
  return sortFields({
    ...without(value, ["id", "title", "about"]),
    traffic,
    matrix: { ...matrix, limit: listIn(matrix["limit"]).length },
    world: { ...world, policies },
  });
}

const without = (map: JsonMap, names: readonly string[]): JsonMap =>
  Object.fromEntries(Object.entries(map).filter(([name]) => !names.includes(name)));

/** The order of fields means nothing. */
function sortFields(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(sortFields);
  if (!isJsonMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, each]) => [name, sortFields(each)]),
  );
}
