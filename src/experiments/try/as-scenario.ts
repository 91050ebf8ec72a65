// A question as the text of a scenario: `weir try` runs what this text describes, and so does `weir run`.
import { SECOND } from "../../core/units.ts";
import { limitText, shortDuration } from "../../replay/candidates.ts";
import type { Behaviour } from "../../scenario/types.ts";
import {
  candidatesOf,
  type TryCandidate,
  type TriedLimiter,
  type TryQuestion,
} from "./question.ts";
import { POPULATIONS } from "./populations.ts";

export const TRY_ID = "try/traffic";
const CLIENT = "client";

/** `admitted` has the requests that each candidate admitted, which the scenario expects; null: they are not known yet. */
export function formatTry(question: TryQuestion, admitted: readonly number[] | null): string {
  return [
    `id: ${TRY_ID}`,
    `title: ${title(question)}`,
    "about: >",
    `  ${trafficText(question)} Each candidate has the same traffic, and admits a number of requests that follows from the seed.`,
    ...matrixLines(question),
    ...worldLines(question),
    "traffic:",
    ...trafficLines(question).map((line) => `  - { ${line} }`),
    "expect:",
    ...(admitted === null
      ? ["  - { id: any, count: {}, atLeast: 0, among: { atLeast: 1 } }"]
      : candidatesOf(question).map((candidate, at) =>
          expectation(question, candidate, admitted[at]!),
        )),
    "",
  ].join("\n");
}

const title = ({ clients, limits }: TryQuestion): string =>
  `${plural(clients, "client")} under ${limits.map(limitText).join(", ")}`;

const plural = (count: number, what: string): string =>
  `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;

/** The traffic in a sentence or two. */
export function trafficText({
  clients,
  population,
  rate,
  bursts,
  forUs,
  retry,
}: TryQuestion): string {
  const own = clients === 1 ? "" : " each";
  const evenly = rate === null ? [] : [`${rateText(rate)}${own}, ${POPULATIONS[population].about}`];
  const requests = rate === null ? ` requests${own}` : "";
  const atOnce =
    bursts === null
      ? []
      : [`${bursts.count}${requests} at once every ${shortDuration(bursts.everyUs)}`];
  const after =
    retry === "none"
      ? "A refused request is not sent again."
      : `Refused requests are sent again (${retry}).`;
  return `${plural(clients, "client")} send${clients === 1 ? "s" : ""} ${[...evenly, ...atOnce].join(", and ")}, for ${shortDuration(forUs)}. ${after}`;
}

/** By the largest unit in which a rate is at least one request. */
function rateText(perSecond: number): string {
  const [count, unit] =
    perSecond >= 1
      ? [perSecond, "a second"]
      : perSecond * 60 >= 1
        ? [perSecond * 60, "a minute"]
        : [perSecond * 3600, "an hour"];
  return `${plural(Number(count.toPrecision(6)), "request")} ${unit}`;
}

// ---------------------------------------------------------------- matrix and world

const hasOnlyAlgorithms = ({ limiters }: TryQuestion): boolean =>
  limiters.every(({ kind, burst }) => kind === "algorithm" && burst === null);

/** The gateway of a limiter: its algorithm, or its profile, and the burst if it reads one. */
const gatewayOf = ({ kind, name, burst }: TriedLimiter): string =>
  `{ ${kind}: ${name}${burst === null ? "" : `, burst: ${burst}`} }`;

function matrixLines(question: TryQuestion): readonly string[] {
  const { limits, limiters } = question;
  return [
    "matrix:",
    `  limit: [${limits.map(limitText).join(", ")}]`,
    ...(hasOnlyAlgorithms(question)
      ? [`  algorithm: [${limiters.map(({ name }) => name).join(", ")}]`]
      : [`  gateway: [${limiters.map(gatewayOf).join(", ")}]`]),
  ];
}

function worldLines(question: TryQuestion): readonly string[] {
  const { limits, clients, gateways } = question;
  return [
    "world:",
    "  apis: { orders: { listen: /orders } }",
    "  policies:",
    ...limits.map(
      (limit) =>
        `    ${limitText(limit)}: { rate: ${limit.rate}, per: ${shortDuration(limit.perUs)}, apis: [orders] }`,
    ),
    `  keys: { ${CLIENT}: { apply_policies: [$limit], count: ${clients} } }`,
    hasOnlyAlgorithms(question) ? "  gateway: { algorithm: $algorithm }" : "  gateway: $gateway",
    ...(gateways === 1 ? [] : [`  fleet: { nodes: ${gateways} }`]),
  ];
}

// ---------------------------------------------------------------- traffic

function trafficLines(question: TryQuestion): readonly string[] {
  const { clients, rate, bursts, forUs, behaviour } = question;
  const flow = (name: string, shape: string): string =>
    `name: ${name}, as: ${CLIENT}, send: GET /orders, clients: ${clients}, ${shape}, behaviour: ${behaviourText(behaviour)}`;
  return [
    ...(rate === null ? [] : rateLines(question, rate, flow)),
    ...(bursts === null ? [] : burstTimes(bursts.everyUs, forUs)).map((us, at) =>
      flow(`burst-${at + 1}`, `burst: ${bursts!.count * clients}, at: ${shortDuration(us)}`),
    ),
  ];
}

function rateLines(
  { clients, population, forUs }: TryQuestion,
  rate: number,
  flow: (name: string, shape: string) => string,
): readonly string[] {
  const { gaps, skew, scraper } = POPULATIONS[population];
  const during = `for: ${shortDuration(forUs)}`;
  if (gaps === null) return [flow("steady", `rate: ${totalRate(rate, clients)}, ${during}`)];
  const shapeOf = (perSecond: number): string =>
    `population: { rate: ${perSecond}, gaps: ${gaps.family}, cv: ${gaps.cv} }, ${during}`;
  const unevenly = skew === 0 ? "" : `skew: ${skew}, `;
  return [
    flow("steady", `${unevenly}${shapeOf(totalRate(rate, clients))}`),
    ...(scraper === 0
      ? []
      : [`name: scraper, as: ${CLIENT}, send: GET /orders, ${shapeOf(totalRate(rate, scraper))}`]),
  ];
}

/** Of all clients. A scenario has rates with at most six decimals. */
export const totalRate = (rate: number, clients: number): number =>
  Number((rate * clients).toFixed(6));

export const burstTimes = (
  everyUs: TryQuestion["forUs"],
  forUs: number,
): readonly TryQuestion["forUs"][] =>
  Array.from(
    { length: Math.ceil(forUs / everyUs) },
    (_, at) => (at * everyUs) as TryQuestion["forUs"],
  );

function behaviourText(behaviour: Behaviour): string {
  switch (behaviour.kind) {
    case "ignore":
      return "ignore";
    case "honour_retry_after":
      return `{ honourRetryAfter: { maxAttempts: ${behaviour.maxAttempts} } }`;
    case "backoff": {
      const { baseUs, factor, jitter, maxAttempts } = behaviour;
      return `{ backoff: { base: ${shortDuration(baseUs)}, factor: ${factor}, jitter: ${jitter}, maxAttempts: ${maxAttempts} } }`;
    }
  }
}

function expectation(
  question: TryQuestion,
  { limit, limiter }: TryCandidate,
  admitted: number,
): string {
  const by = hasOnlyAlgorithms(question)
    ? `algorithm: ${limiter.name}`
    : `gateway: ${gatewayOf(limiter)}`;
  const among = admitted === 0 ? ", among: { atLeast: 1 }" : "";
  return `  - { id: admitted of ${limitText(limit)} by ${limiter.name}, where: { limit: ${limitText(limit)}, ${by} }, count: { status: 200 }, equals: ${admitted}${among} }`;
}

/** Requests that are planned for each candidate; of a random population it is the mean. */
export const countTried = ({ clients, population, rate, bursts, forUs }: TryQuestion): number =>
  Math.round((totalRate(rate ?? 0, clients + POPULATIONS[population].scraper) * forUs) / SECOND) +
  (bursts === null ? 0 : burstTimes(bursts.everyUs, forUs).length * bursts.count * clients);
