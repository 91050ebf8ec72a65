// Writes a question as the text of a scenario: what `weir try` runs, `weir run` can run too.
import { countText } from "../../kit/reading/legible.ts";
import { micros, SECOND, type Micros } from "../../kit/units.ts";
import { FREE_LOG_FIELDS, limitText, shortDuration } from "../replay/candidates.ts";
import { FREE_LOG } from "../replay/choices.ts";
import type { Behaviour } from "../../lab/scenario/types.ts";
import {
  candidatesOf,
  type DescribedTraffic,
  type TriedBursts,
  type TriedFile,
  type TryCandidate,
  type TriedLimiter,
  type TryQuestion,
} from "./question.ts";
import { offsetOf } from "./draws.ts";
import { POPULATIONS } from "./populations.ts";

export const TRY_ID = "try/traffic";
const CLIENT = "client";

/** `admitted` has the admitted requests of each candidate, which the scenario expects; null: unknown yet. */
export function formatTry(
  question: TryQuestion,
  firstBurstUs: Micros,
  admitted: readonly number[] | null,
): string {
  return [
    `id: ${TRY_ID}`,
    `title: ${title(question)}`,
    "about: >",
    `  ${trafficText(question, firstBurstUs === 0 ? "" : ` from ${shortDuration(firstBurstUs)} on`)} Each candidate has the same traffic, and admits a number of requests that follows from the seed.`,
    ...matrixLines(question),
    ...worldLines(question),
    "traffic:",
    ...trafficLines(question, firstBurstUs).map((line) => `  - { ${line} }`),
    "expect:",
    ...(admitted === null
      ? ["  - { id: any, count: {}, atLeast: 0, among: { atLeast: 1 } }"]
      : candidatesOf(question).map((candidate, at) =>
          expectation(question, candidate, admitted[at]!),
        )),
    "",
  ].join("\n");
}

const title = ({ clients, limits, file }: TryQuestion): string =>
  file === undefined
    ? `${countText(clients, "client")} under ${limits.map(limitText).join(", ")}`
    : JSON.stringify(`${countText(clients, "client")} under the limits of ${file.file}`);

/** The traffic in a sentence or two. `from`: when the bursts begin, if not at once. */
export function trafficText(
  { clients, population, rate, bursts, forUs, retries, isSequential, perAddress }: TryQuestion,
  from: string,
): string {
  const own = clients === 1 ? "" : " each";
  const evenly = rate === null ? [] : [`${rateText(rate)}${own}, ${POPULATIONS[population].about}`];
  const requests = rate === null ? ` requests${own}` : "";
  const atOnce =
    bursts === null
      ? []
      : [
          `${bursts.count}${requests} at once every ${shortDuration(bursts.everyUs)}${clients === 1 ? from : bursts.isTogether ? `, all clients together${from}` : ", each at times of its own"}${bursts.jitterUs === 0 ? "" : `, up to ${shortDuration(bursts.jitterUs)} late`}`,
        ];
  const names = retries.map(({ name }) => name);
  const after =
    names.join() === "none"
      ? "A refused request is not sent again."
      : `Refused requests are sent again (${names.join(", or ")}).`;
  const inTurn = isSequential ? " Each client sends one request at a time." : "";
  const shared =
    perAddress === null
      ? ""
      : perAddress === 1
        ? " Each client has an address with a budget."
        : ` Every ${countText(perAddress, "client")} share an address and its budget.`;
  return `${countText(clients, "client")} send${clients === 1 ? "s" : ""} ${[...evenly, ...atOnce].join(", and ")}, for ${shortDuration(forUs)}. ${after}${inTurn}${shared}`;
}

/** Writes a rate by the shortest unit in which it is at least one request. */
function rateText(perSecond: number): string {
  const [count, unit] =
    perSecond >= 1
      ? [perSecond, "a second"]
      : perSecond * 60 >= 1
        ? [perSecond * 60, "a minute"]
        : [perSecond * 3600, "an hour"];
  return `${countText(Number(count.toPrecision(6)), "request")} ${unit}`;
}

// ---------------------------------------------------------------- matrix and world

const hasOnlyAlgorithms = ({ limiters }: TryQuestion): boolean =>
  limiters.every(
    ({ kind, name, burst }) => kind === "algorithm" && name !== FREE_LOG && burst === null,
  );

/** The gateway of a limiter: its algorithm, or its profile, and the burst if it reads one. */
const gatewayOf = ({ kind, name, burst }: TriedLimiter): string =>
  name === FREE_LOG
    ? `{ ${FREE_LOG_FIELDS} }`
    : `{ ${kind}: ${name}${burst === null ? "" : `, burst: ${burst}`} }`;

function matrixLines(question: TryQuestion): readonly string[] {
  const { limits, limiters, retries, file } = question;
  if (file !== undefined && retries.length === 1) return [];
  return [
    "matrix:",
    ...(file !== undefined
      ? []
      : [
          `  limit: [${limits.map(limitText).join(", ")}]`,
          hasOnlyAlgorithms(question)
            ? `  algorithm: [${limiters.map(({ name }) => name).join(", ")}]`
            : `  gateway: [${limiters.map(gatewayOf).join(", ")}]`,
        ]),
    ...(retries.length === 1
      ? []
      : [`  retry: [${retries.map(({ behaviour }) => behaviourText(behaviour)).join(", ")}]`]),
  ];
}

function worldLines(question: TryQuestion): readonly string[] {
  const { limits, clients, gateways, perAddress, file } = question;
  const fleet = gateways === 1 ? [] : [`  fleet: { nodes: ${gateways} }`];
  if (file !== undefined) return ["world:", ...fileLines(file), ...fleet];
  const by = perAddress === null ? "" : ", key_by: ip";
  return [
    "world:",
    `  apis: { orders: { listen: /orders${by} } }`,
    "  policies:",
    ...limits.map(
      (limit) =>
        `    ${limitText(limit)}: { rate: ${limit.rate}, per: ${shortDuration(limit.perUs)}, apis: [orders] }`,
    ),
    `  keys: { ${CLIENT}: { apply_policies: [$limit], count: ${clients} } }`,
    hasOnlyAlgorithms(question) ? "  gateway: { algorithm: $algorithm }" : "  gateway: $gateway",
    ...fleet,
  ];
}

const fileLines = ({ file, kind, values }: TriedFile): readonly string[] => [
  `  file: ${JSON.stringify(file)}`,
  ...(kind === null ? [] : [`  kind: ${JSON.stringify(kind)}`]),
  ...(values.size === 0 ? [] : [`  set: ${JSON.stringify(Object.fromEntries(values))}`]),
];

// ---------------------------------------------------------------- traffic

function trafficLines(question: TryQuestion, firstBurstUs: Micros): readonly string[] {
  const { clients, rate, bursts, forUs, retries, isSequential, perAddress, file } = question;
  const offsetUs = offsetOf(question);
  const [first] = retries;
  const behaviour = retries.length === 1 ? behaviourText(first!.behaviour) : "$retry";
  // Rules of a file mostly count addresses, so that each client has one of its own.
  const shared = perAddress ?? (file === undefined ? null : 1);
  const from = shared === null ? "" : `, from: [${addressesOf(clients, shared).join(", ")}]`;
  const send = requestOf(file);
  const inTurn = isSequential ? ", sequential: true" : "";
  const flow = (name: string, shape: string): string =>
    `name: ${name}, as: ${CLIENT}, ${send}, clients: ${clients}, ${shape}, behaviour: ${behaviour}${inTurn}${from}`;
  return [
    ...(rate === null ? [] : rateLines(question, rate, flow)),
    ...(bursts === null
      ? []
      : burstLines(bursts, { clients, forUs, firstBurstUs, offsetUs }, flow)),
  ];
}

/** The request of each client, as fields of a flow. */
function requestOf(file: TriedFile | undefined): string {
  if (file === undefined) return "send: GET /orders";
  const { method, path, headers } = file;
  const also =
    headers.length === 0 ? "" : `, headers: ${JSON.stringify(Object.fromEntries(headers))}`;
  return `send: ${JSON.stringify(`${method} ${path}`)}${also}`;
}

/** One address for each group of clients, from a network for benchmarks; if each client has one, the network. */
const addressesOf = (clients: number, perAddress: number): readonly string[] =>
  perAddress === 1 && clients > 1
    ? ["198.18.0.0/15"]
    : Array.from(
        { length: Math.ceil(clients / perAddress) },
        (_, at) => `198.${18 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`,
      );

function burstLines(
  { count, everyUs, jitterUs }: TriedBursts,
  {
    clients,
    forUs,
    firstBurstUs,
    offsetUs,
  }: Pick<TryQuestion, "clients" | "forUs"> & {
    readonly firstBurstUs: Micros;
    readonly offsetUs: Micros;
  },
  flow: (name: string, shape: string) => string,
): readonly string[] {
  const offset = offsetUs === 0 ? "" : `offset: ${shortDuration(offsetUs)}, `;
  if (jitterUs > 0 || offsetUs > 0)
    return [
      flow(
        "herd",
        `cron: { every: ${shortDuration(everyUs)}, ${offset}jitter: ${shortDuration(jitterUs)}, count: ${count} }, ${firstBurstUs === 0 ? "" : `at: ${shortDuration(firstBurstUs)}, `}for: ${shortDuration(micros(forUs - firstBurstUs))}`,
      ),
    ];
  return burstTimes(everyUs, forUs - firstBurstUs).map((us, at) =>
    flow(
      `burst-${at + 1}`,
      `burst: ${count * clients}, at: ${shortDuration(micros(us + firstBurstUs))}`,
    ),
  );
}

const SCRAPED = [1, 2, 3, 4, 5].map((order) => `GET /orders/${order}`).join(", ");

function rateLines(
  { clients, population, forUs, perAddress, file }: TryQuestion,
  rate: number,
  flow: (name: string, shape: string) => string,
): readonly string[] {
  const { gaps, rates, scraper } = POPULATIONS[population];
  const during = `for: ${shortDuration(forUs)}`;
  if (gaps === null) return [flow("steady", `rate: ${totalRate(rate, clients)}, ${during}`)];
  const unevenly = rates?.kind === "zipf" ? `skew: ${rates.exponent}, ` : "";
  const drawn =
    rates?.kind === "pareto"
      ? `, pareto: ${rates.index}`
      : rates?.kind === "lognormal"
        ? `, lognormal: ${rates.sigma}`
        : "";
  const spread = `population: { rate: ${totalRate(rate, clients)}, gaps: ${gaps.family}, cv: ${gaps.cv}${drawn} }`;
  return [
    flow("steady", `${unevenly}${spread}, ${during}`),
    ...(scraper === 0
      ? []
      : [
          `name: scraper, as: ${CLIENT}, ${file === undefined ? `send: [${SCRAPED}]` : requestOf(file)}, rate: ${totalRate(rate, scraper)}, ${during}${perAddress === null && file === undefined ? "" : `, from: ${addressesOf(1, 2).join()}`}`,
        ]),
  ];
}

/** The rate of all clients together, rounded to the six decimals that a scenario allows. */
export const totalRate = (rate: number, clients: number): number =>
  Number((rate * clients).toFixed(6));

const burstTimes = (everyUs: Micros, forUs: number): readonly Micros[] =>
  Array.from({ length: Math.ceil(forUs / everyUs) }, (_, at) => (at * everyUs) as Micros);

function behaviourText(behaviour: Behaviour): string {
  switch (behaviour.kind) {
    case "ignore":
      return "ignore";
    case "honour_retry_after":
      return `{ honourRetryAfter: { maxAttempts: ${behaviour.maxAttempts} } }`;
    case "backoff": {
      const { baseUs, factor, jitter, maxAttempts, maxUs } = behaviour;
      const most = maxUs === undefined ? "" : `, max: ${shortDuration(maxUs)}`;
      return `{ backoff: { base: ${shortDuration(baseUs)}, factor: ${factor}, jitter: ${jitter}${most}, maxAttempts: ${maxAttempts} } }`;
    }
    case "atb": {
      const { bucket, perMinute, step, stepAbove, maxAttempts } = behaviour;
      return `{ atb: { bucket: ${bucket}, perMinute: ${perMinute}, step: ${step}, stepAbove: ${stepAbove}, maxAttempts: ${maxAttempts} } }`;
    }
    case "aatb": {
      const { bucket, perMinute, step, stepBusy, quotaPerMinute, reportUs, maxAttempts } =
        behaviour;
      return `{ aatb: { bucket: ${bucket}, perMinute: ${perMinute}, step: ${step}, stepBusy: ${stepBusy}, quota: ${quotaPerMinute}, report: ${shortDuration(reportUs)}, maxAttempts: ${maxAttempts} } }`;
    }
  }
}

function expectation(
  question: TryQuestion,
  { limit, limiter, retry }: TryCandidate,
  admitted: number,
): string {
  const isCompared = question.retries.length > 1;
  const having = isCompared ? `, retry: ${behaviourText(retry.behaviour)}` : "";
  const where =
    limiter.kind === "file"
      ? having.replace(/^, /, "")
      : `limit: ${limitText(limit)}, ${hasOnlyAlgorithms(question) ? `algorithm: ${limiter.name}` : `gateway: ${gatewayOf(limiter)}`}${having}`;
  const by = limiter.kind === "file" ? "the file" : `${limitText(limit)} by ${limiter.name}`;
  const name = `${by}${isCompared ? ` with ${retry.name}` : ""}`;
  const among = admitted === 0 ? ", among: { atLeast: 1 }" : "";
  return `  - { id: admitted of ${name}, ${where === "" ? "" : `where: { ${where} }, `}count: { status: 200 }, equals: ${admitted}${among} }`;
}

/** How often each client sends its bursts; on average, if it begins at a time of its own. */
const countBursts = (traffic: DescribedTraffic): number => {
  const { bursts, forUs } = traffic;
  if (bursts === null) return 0;
  return offsetOf(traffic) === 0
    ? burstTimes(bursts.everyUs, forUs).length
    : Math.max(1, forUs / bursts.everyUs);
};

/** The number of requests planned for each candidate; the mean, if it is random. */
export const countTried = (traffic: DescribedTraffic): number => {
  const { clients, population, rate, bursts, forUs } = traffic;
  const steady = (totalRate(rate ?? 0, clients + POPULATIONS[population].scraper) * forUs) / SECOND;
  return Math.round(steady + countBursts(traffic) * (bursts?.count ?? 0) * clients);
};
