// The experiments of the first page: a question, two limiters, and one handle. Each value of the handle is a scenario,
// which the build and the page run alike, and which the playground opens.
import { formatCount } from "../../html/parts.ts";
import { sumOf, type Columns, type ShownTime } from "./columns.ts";

interface ExperimentHandle {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly usual: number;
  readonly words: (value: number) => string;
}

export interface ExperimentLane {
  readonly name: (value: number) => string;
  readonly why: (value: number, columns: Columns) => string;
}

export interface SiteExperiment {
  readonly id: string;
  readonly question: string;
  readonly about: string;
  readonly handle: ExperimentHandle;
  readonly text: (value: number) => string;
  readonly shown: ShownTime;
  /** Below the graph, at their times in seconds. */
  readonly ticks: readonly (readonly [at: number, label: string])[];
  readonly edge: number | null; // the time of a line through the graph; null: none
  /** Whether the handle is the burst itself, in a graph of the traffic that both limiters get. */
  readonly dragsBurst: boolean;
  /** In the order of the scenario's variants. */
  readonly lanes: readonly [ExperimentLane, ExperimentLane];
  readonly counted: keyof Columns; // the requests of the large figure
  readonly unit: string; // what the large figure counts
  readonly isBad: (count: number) => boolean;
  readonly lesson: string; // one sentence to take along
}

/** The name of the file in commands. */
export const EXPERIMENT_FILE = "scenarios/try/experiment.yaml";

const seconds = (value: number): string =>
  `${Math.floor(value / 60)}:${(value % 60).toFixed(1).padStart(4, "0")}`;

const EDGE = 60;

const edge: SiteExperiment = {
  id: "edge",
  question: "Your limit is 100 per minute. How many get through in two seconds?",
  about: "200 requests, sent within two seconds to two limiters.",
  handle: {
    label: "Drag them over the edge",
    least: 57,
    most: 61,
    step: 0.1,
    usual: 59,
    words: (value) => `${seconds(value)} to ${seconds(value + 2)}`,
  },
  text: (value) => `id: try/edge
title: a limit per minute, and 200 requests in two seconds near the edge of a minute
matrix: { algorithm: [fixed_window, sliding_log] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 100, per: 60 } }
  gateway: { algorithm: $algorithm, fixed_window_start: clock }
traffic:
  - { as: alice, send: GET /orders, at: ${value}s, rate: 100, for: 2s }
expect:
  - { id: at most 100 in any minute, maxInAnyWindow: { window: 60s }, atMost: 100 }
`,
  shown: { from: 57, to: 63, columns: 60 },
  ticks: [
    [57, "0:57"],
    [EDGE, "1:00, a new minute"],
    [63, "1:03"],
  ],
  edge: EDGE,
  dragsBurst: true,
  lanes: [
    {
      name: () => "Fixed window",
      why: (_, { admitted }) => {
        const middle = admitted.length / 2;
        const before = sumOf(admitted.slice(0, middle));
        const after = sumOf(admitted.slice(middle));
        return before === 0 || after === 0
          ? "All of them meet one window, and its budget of 100 holds."
          : `${before} before the edge and ${after} after it: each minute has a budget of its own.`;
      },
    },
    {
      name: () => "Sliding log",
      why: () => "It looks back one minute from each request, so it has no edge.",
    },
  ],
  counted: "admitted",
  unit: "get through",
  isBad: (count) => count > 100,
  lesson: "A fixed window admits up to twice its limit in a moment, at the edge of each window.",
};

const HERD = 200;

const herd: SiteExperiment = {
  id: "herd",
  question: "200 clients come back at the same time. How many of them get in?",
  about:
    "The limit is 10 per second. A refused client waits 1, 2, 4, 8 and 16 s, and then gives up.",
  handle: {
    label: "Drag the jitter of each wait",
    least: 1,
    most: 50,
    step: 1,
    usual: 25,
    words: (value) => `± ${value} %`,
  },
  text: (value) => `id: try/herd
title: a herd of 200 clients that comes back together, or with jitter
matrix: { jitter: [0, ${value / 100}] }
world:
  apis: { tickets: { listen: /tickets, rate: 10, per: 1, keyless: true } }
  gateway: { algorithm: token_bucket }
traffic:
  - name: herd
    send: GET /tickets
    burst: ${HERD}
    behaviour: { backoff: { base: 1s, factor: 2, jitter: $jitter, maxAttempts: 6 } }
expect:
  - { id: no client gives up, gaveUp: {}, equals: 0 }
`,
  shown: { from: 0, to: 48, columns: 96 },
  ticks: [
    [0, "0 s"],
    [16, "16 s"],
    [32, "32 s"],
    [48, "48 s"],
  ],
  edge: null,
  dragsBurst: false,
  lanes: [
    {
      name: () => "Without jitter",
      why: (_, { refused }) =>
        `The herd returns as one, six times. The server refuses ${formatCount(sumOf(refused))} attempts.`,
    },
    {
      name: (value) => `With ± ${value} %`,
      why: (_, { refused }) =>
        `Each client picks a moment of its own. The server refuses ${formatCount(sumOf(refused))} attempts.`,
    },
  ],
  counted: "admitted",
  unit: `of ${HERD} get in`,
  isBad: (count) => count < HERD,
  lesson: "Backoff alone keeps a herd together: jitter is what lets it through.",
};

const FLEET_RATE = 40;
const NODES = 4;
const EQUAL_SHARE = 100 / NODES;

/** Equal shares come in turn, and others by chance. */
const balancerOf = (share: number): string =>
  share === EQUAL_SHARE
    ? "balancer: round-robin"
    : `balancer: weighted, weights: [${3 * share}, ${100 - share}, ${100 - share}, ${100 - share}]`;

const fleet: SiteExperiment = {
  id: "fleet",
  question: "You may send 40 per second, and send exactly 40. How many are refused?",
  about: "Four gateways are behind a balancer. A client sends for five seconds.",
  handle: {
    label: "Drag the share of the first gateway",
    least: EQUAL_SHARE,
    most: 97,
    step: 1,
    usual: 61,
    words: (value) => `${value} % of the requests`,
  },
  text: (value) => `id: try/fleet
title: four gateways behind a balancer that is not always fair
matrix: { algorithm: [drl, sliding_log] }
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: ${FLEET_RATE}, per: 1 } }
  gateway: { algorithm: $algorithm }
  fleet: { nodes: ${NODES}, ${balancerOf(value)} }
traffic:
  - { as: alice, send: GET /orders, rate: ${FLEET_RATE}, for: 5s }
expect:
  - { id: a client within its limit is never refused, count: { status: 429 }, equals: 0, among: { atLeast: 100 } }
`,
  shown: { from: 0, to: 5, columns: 50 },
  ticks: [
    [0, "0 s"],
    [5, "5 s"],
  ],
  edge: null,
  dragsBurst: false,
  lanes: [
    {
      name: () => "A quarter of the limit at each gateway",
      why: (value) =>
        value === EQUAL_SHARE
          ? "Each gateway gets its turn, and exactly its quarter."
          : `The first gateway gets about ${Math.round((FLEET_RATE * value) / 100)} per second by chance, and its quarter is ${FLEET_RATE / NODES}.`,
    },
    {
      name: () => "One counter for all four",
      why: () => "It does not matter which gateway a request meets.",
    },
  ],
  counted: "refused",
  unit: "of 200 refused",
  isBad: (count) => count > 0,
  lesson: "A limit divided by the number of gateways is as fair as the balancer, and no fairer.",
};

const PLAN = 100;

const merge: SiteExperiment = {
  id: "merge",
  question:
    "A key has 100 per minute. You add a policy per second, to calm it. How many get through?",
  about: "A client sends 8 per second for a minute. Its key has one policy, or both.",
  handle: {
    label: "Drag the policy that you add",
    least: 1,
    most: 8,
    step: 1,
    usual: 5,
    words: (value) => `${value} per second`,
  },
  text: (value) => `id: try/merge
title: a second policy, added to slow a key down
matrix: { policies: [[plan], [plan, calm]] }
world:
  apis: { orders: { listen: /orders } }
  policies:
    plan: { rate: ${PLAN}, per: 60, apis: [orders] }
    calm: { rate: ${value}, per: 1, apis: [orders] }
  keys: { alice: { apply_policies: $policies } }
  gateway: { algorithm: fixed_window }
traffic:
  - { as: alice, send: GET /orders, rate: 8, for: 60s }
expect:
  - { id: at most 100 in any minute, maxInAnyWindow: { window: 60s }, atMost: 100 }
`,
  shown: { from: 0, to: 60, columns: 60 },
  ticks: [
    [0, "0 s"],
    [30, "30 s"],
    [60, "60 s"],
  ],
  edge: null,
  dragsBurst: false,
  lanes: [
    {
      name: () => "100 per minute alone",
      why: () => "The first 100 use up the minute.",
    },
    {
      name: (value) => `and ${value} per second`,
      why: (value) =>
        60 * value > PLAN
          ? `${value} per second is ${60 * value} per minute. The higher rate applies, and 100 per minute is gone.`
          : `${value} per second is ${60 * value} per minute. The higher rate applies: the new policy does nothing.`,
    },
  ],
  counted: "admitted",
  unit: "get through",
  isBad: (count) => count > PLAN,
  lesson: "Where the highest rate wins a merge, another policy never makes a key slower.",
};

export const EXPERIMENTS: readonly SiteExperiment[] = [edge, herd, fleet, merge];

/** The number of the large figure of a limiter. */
export const countIn = ({ counted }: SiteExperiment, columns: Columns): number =>
  sumOf(columns[counted]);
