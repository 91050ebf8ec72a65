// Describes the traffic, one line for each flow.
import { many, plural } from "../../../kit/reading/legible.ts";
import { formatDuration } from "../../../kit/units.ts";
import { partsOf, wholeFlows } from "../../scenario/flows.ts";
import { networkText } from "../../scenario/networks.ts";
import type { Flow, TrafficShape, Variant } from "../../scenario/types.ts";

/** Small numbers, which are frequent, skip locale formatting, which is slow. */
const countText = (count: number): string =>
  count < 1_000 ? String(count) : count.toLocaleString("en-US");

const per = (rate: number): string => `${rate} a second`;

const ratesText = (rates: PopulationRates): string =>
  rates === undefined
    ? ""
    : rates.kind === "pareto"
      ? ` and a rate drawn by a Pareto distribution (${rates.index})`
      : ` and a rate drawn by a lognormal distribution (${rates.sigma})`;

type PopulationRates = Extract<TrafficShape, { kind: "population" }>["rates"];

function shapeText({ shape, atUs }: Flow): string {
  const at = `at ${formatDuration(atUs)}`;
  const from = `from ${formatDuration(atUs)} on`;
  switch (shape.kind) {
    case "burst":
      return shape.count === 1
        ? `1 request ${at}`
        : `${countText(shape.count)} requests at once ${at}`;
    case "every":
      return `${countText(shape.count)} ${plural(shape.count, "request")}, one every ${formatDuration(shape.intervalUs)}, ${from}`;
    case "rate":
      return `${per(shape.rate)} for ${formatDuration(shape.forUs)}, ${from}`;
    case "poisson":
      return `${per(shape.rate)} at random (Poisson) for ${formatDuration(shape.forUs)}, ${from}`;
    case "population":
      return `${per(shape.rate)} for ${formatDuration(shape.forUs)}, each client at random gaps (${shape.gaps}, coefficient of variation ${shape.cv})${ratesText(shape.rates)}, ${from}`;
    case "cron":
      return `${shape.count === 1 ? "a request" : `${countText(shape.count)} requests`} of each client every ${formatDuration(shape.everyUs)}${shape.offsetUs === 0 ? "" : ", at times of its own"}${shape.jitterUs === 0 ? "" : `, up to ${formatDuration(shape.jitterUs)} late`}, for ${formatDuration(shape.forUs)}, ${from}`;
    case "stages": {
      const stages = shape.stages.map(
        ({ name, fromRate, toRate, forUs }) =>
          `${name} ${fromRate === toRate ? per(fromRate) : `${fromRate} to ${per(toRate)}`} for ${formatDuration(forUs)}`,
      );
      return `${stages.join(", then ")}${shape.arrivals === "poisson" ? ", at random (Poisson)" : ""}, ${from}`;
    }
    case "on_off":
      return `${per(shape.rate)} for ${formatDuration(shape.onUs)}, then nothing for ${formatDuration(shape.offUs)}, over ${formatDuration(shape.forUs)}, ${from}`;
    case "trace":
      return `${countText(shape.timesUs.length)} ${plural(shape.timesUs.length, "request")} at recorded times, ${from}`;
  }
}

function behaviourText({ behaviour }: Flow): string {
  switch (behaviour.kind) {
    case "ignore":
      return "";
    case "honour_retry_after":
      return `; refused clients retry after Retry-After, ${many(behaviour.maxAttempts, "attempt")} in all`;
    case "backoff":
      return `; refused clients back off from ${formatDuration(behaviour.baseUs)} by a factor of ${behaviour.factor}, ${many(behaviour.maxAttempts, "attempt")} in all`;
    case "atb":
      return `; clients wait for tokens of their own, whose rate a 429 halves (ATB)`;
    case "aatb":
      return `; clients wait for tokens of their own, whose rate follows the reports of all (AATB)`;
  }
}

/** Returns text such as `alice, bob in turn` or `alice (3), bob (1) by weight`. */
function mixText(each: readonly string[], weights: readonly number[] | null): string {
  const shown = each.slice(0, MOST_MIXED);
  const named = shown.map((one, i) => (weights === null ? one : `${one} (${weights[i]})`));
  const rest = each.length > MOST_MIXED ? [`${each.length - MOST_MIXED} more`] : [];
  const how = each.length === 1 ? "" : weights === null ? " in turn" : " by weight";
  return `${[...named, ...rest].join(", ")}${how}`;
}

const MOST_MIXED = 5;

function requestText(flow: Flow, parts: readonly Flow[]): string {
  const { mix } = flow;
  if (mix === undefined) return `${flow.method} ${flow.path}`;
  const sends = parts.slice(0, mix.send.count).map(({ method, path }) => `${method} ${path}`);
  return mixText(sends, mix.send.weights);
}

function clientText(flow: Flow, parts: readonly Flow[]): string {
  const { mix, as } = flow;
  if (mix === undefined || mix.as.count === 1) return as === null ? "without a key" : `as ${as}`;
  const first = parts.filter((_, part) => part % mix.send.count === 0);
  return `as ${mixText(
    first.map((each) => each.as ?? "no key"),
    mix.as.weights,
  )}`;
}

const fromText = ({ from }: Flow): string =>
  from === undefined
    ? ""
    : ` from ${mixText(
        from.networks.map((each) => networkText(each)),
        from.weights,
      )}`;

/** How a flow distributes requests over its clients. */
const sharingText = ({ skew, shape }: Flow): string =>
  shape.kind === "cron" || (shape.kind === "population" && shape.rates !== undefined)
    ? ""
    : skew > 0
      ? `, some far more often (Zipf ${skew})`
      : shape.kind === "population"
        ? ""
        : " in turn";

function flowText(flow: Flow, traffic: readonly Flow[]): string {
  const parts = partsOf(traffic, flow);
  const clients = flow.clients === 1 ? "" : ` by ${flow.clients} clients${sharingText(flow)}`;
  return `${flow.name}: ${shapeText(flow)}, ${clientText(flow, parts)}${clients}${fromText(flow)}: ${requestText(flow, parts)}${behaviourText(flow)}.`;
}

export const trafficTexts = ({ traffic, calls, world }: Variant): readonly string[] => [
  ...wholeFlows(traffic).map((flow) => flowText(flow, traffic)),
  ...calls.map(
    ({ name, atUs, method, on, path }) =>
      `Call ${name} at ${formatDuration(atUs)}: ${method} ${world.management.bases[on]}${path}.`,
  ),
];
