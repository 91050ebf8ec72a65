// A limit that a reader drags: its fields, and the scenario that they produce. The build runs the initial scenario, and
// a worker of the page runs it after each change.
import { plural } from "../../../kit/reading/legible.ts";
import { ALGORITHMS, isLogBased, readsBurst } from "../../../limiter/core/algorithms.ts";
import { html, NOTHING, type Html } from "../../html/html.ts";
import { figureHtml, type Drawings } from "../../html/figure.ts";
import { formatCount } from "../../html/parts.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import type { ScenarioReport } from "../../../lab/report/model.ts";
import { TRY_RETRIES } from "../../../studies/try/retries.ts";
import {
  FORM_CHOICES,
  FORM_NUMBERS,
  formScenario,
  type FormNames,
  type FormNumber,
  type FormNumbers,
} from "../form.ts";

type Values = Readonly<Record<string, number>>;
type Names = Readonly<Record<string, string>>;

interface LiveChoice {
  readonly name: string;
  readonly label: string;
  readonly names: readonly string[];
  readonly usual: string;
}

export interface LiveLimit {
  readonly numbers: readonly FormNumber[];
  readonly choices: readonly LiveChoice[];
  readonly text: (values: Values, names: Names) => string;
}

const ALL = Object.fromEntries(FORM_NUMBERS.map(({ name, usual }) => [name, usual])) as FormNumbers;
const USUAL = Object.fromEntries(FORM_CHOICES.map(({ name, usual }) => [name, usual])) as FormNames;

/** Units that replace those of the playground: there the unit of `burst` is the name of its algorithm. */
const UNITS: Readonly<Record<string, string>> = { burst: "requests" };

/** Fields of the playground, with the initial values that show a subject best. */
const numbersOf = (usual: Partial<FormNumbers>): readonly FormNumber[] =>
  FORM_NUMBERS.flatMap((field) => {
    const value = usual[field.name];
    return value === undefined
      ? []
      : [{ ...field, unit: UNITS[field.name] ?? field.unit, usual: value }];
  });

const slider = (
  name: string,
  label: string,
  unit: string,
  [least, most, step, usual]: readonly [number, number, number, number],
): FormNumber => ({ name, label, unit, least, most, step, usual });

/** The live limit of an algorithm: with one client, so that no other limit decides. */
const algorithmLimit = (algorithm: (typeof ALGORITHMS)[number]): LiveLimit => ({
  numbers: numbersOf({
    rate: 10,
    per: 5,
    ...(readsBurst(algorithm) ? { burst: 3 } : {}),
    each: 2.5,
    atOnce: 5,
    ...(algorithm === "drl" ? { gateways: 3 } : {}),
  }),
  choices: [],
  text: (values) =>
    formScenario({
      numbers: { ...ALL, clients: 1, ...values },
      names: { ...USUAL, first: algorithm, second: algorithm },
    }),
});

const LIMITER: LiveChoice = {
  name: "first",
  label: "Algorithm",
  names: ALGORITHMS,
  usual: "sliding_log",
};

const clientsLimit = (retries: readonly string[], usual: string): LiveLimit => ({
  numbers: numbersOf({ rate: 10, per: 5, clients: 4, each: 1, atOnce: 5 }),
  choices: [
    LIMITER,
    ...(retries.length > 1
      ? [{ name: "retry", label: "When refused", names: retries, usual }]
      : []),
  ],
  text: (values, names) =>
    formScenario({
      numbers: { ...ALL, ...values },
      names: { ...USUAL, retry: usual, ...names, second: names["first"] ?? LIMITER.usual },
    }),
});

const ID = "try/limit";

const smoothing: LiveLimit = {
  numbers: [
    slider("threshold", "Threshold", "per s", [5, 50, 5, 20]),
    slider("rate", "Rate", "per s", [60, 100, 5, 60]),
    slider("step", "Step", "requests", [1, 20, 1, 10]),
    slider("delay", "Delay", "s", [1, 20, 1, 5]),
    slider("demand", "Demand climbs to", "per s", [10, 60, 5, 55]),
    slider("climb", "within", "s", [1, 60, 1, 20]),
  ],
  choices: [{ ...LIMITER, names: ALGORITHMS.filter(isLogBased) }],
  text: ({ threshold, rate, step, delay, demand, climb }, { first }) => `id: ${ID}
title: an allowance follows the demand
world:
  apis: { orders: { listen: /orders } }
  keys:
    client:
      apis: [orders]
      rate: ${rate}
      per: 1
      smoothing: { enabled: true, threshold: ${threshold}, step: ${step}, trigger: 0.5, delay: ${delay} }
  gateway: { algorithm: ${first} }
traffic:
  - as: client
    send: GET /orders
    stages:
      - { name: low, rate: 5, for: 5s }
      - { name: climb, rateTo: ${demand}, for: ${climb}s }
      - { name: high, rate: ${demand}, for: 15s }
      - { name: after, rate: 2, for: 30s }
expect:
  - { id: any, count: {}, atLeast: 0, among: { atLeast: 1 } }
charts:
  - title: demand, allowance and refusals
    x: time
    lines: [offered.rps, admitted.rps, gauge.allowance]
    bars: [status.429]
    marks: [events]
`,
};

const merging: LiveLimit = {
  numbers: [
    slider("rate", "First policy: rate", "", [1, 60, 1, 30]),
    slider("per", "per", "s", [1, 60, 1, 30]),
    slider("otherRate", "Second policy: rate", "", [1, 60, 1, 5]),
    slider("otherPer", "per", "s", [1, 60, 1, 1]),
    slider("each", "Requests", "per s", [1, 20, 1, 8]),
  ],
  choices: [{ ...LIMITER, usual: "fixed_window" }],
  text: ({ rate, per, otherRate, otherPer, each }, { first }) => `id: ${ID}
title: two policies of one key become one limit
world:
  apis: { orders: { listen: /orders } }
  policies:
    first: { rate: ${rate}, per: ${per}, apis: [orders] }
    second: { rate: ${otherRate}, per: ${otherPer}, apis: [orders] }
  keys: { client: { apply_policies: [first, second] } }
  gateway: { algorithm: ${first} }
traffic:
  - { name: steady, as: client, send: GET /orders, rate: ${each}, for: 60s }
expect:
  - { id: any, count: {}, atLeast: 0, among: { atLeast: 1 } }
`,
};

/** Limits by the id of their page. */
export const LIVE_LIMITS: Readonly<Record<string, LiveLimit>> = {
  ...Object.fromEntries(
    ALGORITHMS.map((algorithm) => [algorithm.replaceAll("_", "-"), algorithmLimit(algorithm)]),
  ),
  smoothing,
  merging,
  headers: clientsLimit(["retry-after"], "retry-after"),
  retries: clientsLimit(TRY_RETRIES, "stubborn"),
};

/** The scenario of the page before a reader changes anything. */
export const firstText = ({ numbers, choices, text }: LiveLimit): string =>
  text(
    Object.fromEntries(numbers.map(({ name, usual }) => [name, usual])),
    Object.fromEntries(choices.map(({ name, usual }) => [name, usual])),
  );

export const LIVE_FILE = "scenarios/try/traffic.yaml";

export const valueText = (value: number | string, unit: string): string =>
  `${value} ${unit}`.trim();

export const liveFormHtml = ({ numbers, choices }: LiveLimit): Html =>
  html`<form class="live" id="limit-form" aria-label="Change the limit and its traffic">${choices.map(
    ({ name, label, names, usual }) =>
      html`<label><span>${label}</span><select name="${name}">${names.map((each) => html`<option${each === usual && html` selected`}>${each}</option>`)}</select></label>`,
  )}${numbers.map(
    ({ name, label, unit, least, most, step, usual }) =>
      html`<label><span>${label} <output for="limit-${name}">${valueText(usual, unit)}</output></span><input type="range" id="limit-${name}" name="${name}" data-unit="${unit}" min="${least}" max="${most}" step="${step}" value="${usual}"></label>`,
  )}</form>`;

export const LIVE_FIGURE = "limit";

/** The chart of a run: the first figure, which shows its requests. */
export const liveFigure = ({ variants }: ScenarioReport): Figure | undefined =>
  variants[0]?.figures[0];

/** What a page shows of a run. */
export interface LiveRun {
  readonly report: ScenarioReport;
  readonly warnings: readonly string[]; // warnings about the configuration
}

/** The chart and its numbers. */
export function liveResultHtml({ report, warnings }: LiveRun, drawings: Drawings): Html {
  const [variant] = report.variants;
  const figure = liveFigure(report);
  if (variant === undefined) return NOTHING;
  const { requests, admitted, delayed, refused } = variant;
  const waited = delayed === 0 ? "" : `, of which ${formatCount(delayed)} waited`;
  return html`<p class="counts">${formatCount(requests)} ${plural(requests, "request")}: <b>${formatCount(admitted)} admitted</b>${waited}, <b>${formatCount(refused)} refused</b>.</p>${warnings.map((sentence) => html`<p class="soft">${sentence}</p>`)}${figure === undefined ? NOTHING : figureHtml({ name: LIVE_FIGURE, figure }, drawings)}`;
}
