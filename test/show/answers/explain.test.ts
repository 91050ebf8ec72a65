// The sentences of weir explain claim what the explanation and its history have, for random worlds and traffic.
import { expect, test } from "vitest";
import * as fc from "fast-check";
import { explainVariant, type Explanation } from "#src/lab/check/explain.ts";
import { playVirtual } from "#src/lab/drivers/virtual.ts";
import { isLost, type History } from "#src/lab/scenario/history.ts";
import { plan } from "#src/lab/scenario/plan/plan.ts";
import { answerExplain } from "#src/show/answers/explain.ts";
import { holdsUntil } from "../../runs.ts";
import { scenarioOf } from "../small-runs.ts";

interface World {
  readonly algorithm: string;
  readonly rate: number;
  readonly apiRate: number;
  readonly quota: number;
  readonly nodes: number;
  readonly sent: number; // requests a second of alice
  readonly crashes: boolean;
}

const worlds: fc.Arbitrary<World> = fc.record({
  algorithm: fc.constantFrom(
    "sliding_log",
    "fixed_window",
    "token_bucket",
    "leaky_bucket",
    "sliding_window_counter",
    "sentinel",
    "drl",
  ),
  rate: fc.integer({ min: 1, max: 8 }),
  apiRate: fc.integer({ min: 2, max: 12 }),
  quota: fc.constantFrom(-1, -1, 3),
  nodes: fc.constantFrom(1, 1, 2),
  sent: fc.integer({ min: 1, max: 12 }),
  crashes: fc.boolean(),
});

const textOf = ({ algorithm, rate, apiRate, quota, nodes, sent, crashes }: World): string => `
title: a world
world:
  apis: { orders: { listen: /orders, rate: ${apiRate}, per: 1s } }
  keys:
    alice: { apis: [orders], rate: ${rate}, per: 1s, quota_max: ${quota}, quota_renewal_rate: 60 }
    bob: { apis: [orders] }
  gateway: { algorithm: ${algorithm} }
  fleet: { nodes: ${nodes} }
traffic:
  - { name: first, as: alice, send: GET /orders, rate: ${sent}, for: 2s }
  - { name: other, as: bob, send: GET /orders, rate: 3, for: 2s }
  - { name: nobody, send: GET /orders, burst: 1, at: 1s }
${crashes ? "faults: [{ at: 1500ms, gateway: crash, node: 0 }]" : ""}
expect:
  - { id: counted, count: {}, atLeast: 1 }
`;

interface Explained {
  readonly explanation: Explanation;
  readonly history: History;
}

function explainAll(world: World): readonly Explained[] {
  const scenario = scenarioOf(textOf(world));
  const variant = scenario.variants[0]!;
  const history = playVirtual(variant, plan(variant, scenario.id, 1));
  return [...explainVariant(variant, history, history.requests.status.keys()).values()].map(
    (explanation) => ({ explanation, history }),
  );
}

const nameOf = ({ header, requests }: History, row: number): string => {
  const flow = header.flows[requests.flow[row]!]!;
  return flow.as ?? `flow ${flow.name}`;
};

/** The refusals by the same budget that follow before any request is admitted: all are of one API. */
function countShutRows({ requests }: History, row: number, fromUs: number): number {
  const { budget, gateway, stampUs, status } = requests;
  const after = [...status.keys()].filter((each) => each > row && stampUs[each]! >= fromUs);
  const admitted = after.find((each) => status[each] === 200) ?? Infinity;
  return after.filter(
    (each) =>
      each < admitted &&
      status[each] === 429 &&
      budget[each] === budget[row] &&
      gateway[each] === gateway[row],
  ).length;
}

type Claim = (text: string, explained: Explained) => void;

const CLAIMS: Readonly<Record<string, Claim>> = {
  why: (text, { explanation, history }) => {
    const { row, status, budget, missedByUs, filledBy } = explanation;
    expect(text.startsWith(`${nameOf(history, row)} got `)).toBe(true);
    expect(text).toContain(isLost(status) ? "no response" : `got ${status}`);
    expect(text.includes("no limit refused it")).toBe(status === 200);
    expect(/ later( if no other request came first; .*)?\.$/.test(text)).toBe(missedByUs !== null);
    const claimed = /(\d+) requests were refused|the next request was refused/.exec(text);
    expect(claimed === null ? 0 : Number(claimed[1] ?? 1)).toBe(
      missedByUs === null ? 0 : countShutRows(history, row, explanation.passesAtUs!),
    );
    if (budget === null) return;
    expect(text.includes("for all clients")).toBe(budget.scope === "api");
    const usage = budget.usage!;
    if (budget.usage === null) return;
    // The requests that the oracle found are those that it counted, if each of them certainly counts.
    if (usage.of === "attempts" && filledBy.every(({ certain }) => certain))
      expect(filledBy).toHaveLength(usage.to);
    if (text.includes(": all ")) expect(usage.from).toBe(usage.allowed);
    expect(text).toMatch(new RegExp(`\\b(${usage.allowed}|${usage.allowed - 1}|only)\\b`));
  },
  state: (text, { explanation: { status, state } }) => {
    expect(status).toBe(200);
    expect(text.slice(1)).toBe(`${state!.slice(1)}.`);
    expect(text).toMatch(/^(Before it, |Its budgets before it: |No limit applies to it\.$)/);
  },
  attempts: (text, { explanation: { filledBy, budget } }) => {
    const refused = filledBy.filter(({ status }) => status === 429).length;
    expect(["sliding_log", "sentinel"]).toContain(budget!.algorithm);
    const [, all, some] = /^(?:All (\d+) were|(\d+) of them|That one)/.exec(text)!;
    expect(Number(all ?? some ?? 1)).toBe(refused);
    expect(some === undefined).toBe(refused === filledBy.length);
  },
  senders: (text, { explanation: { filledBy, sender }, history }) => {
    for (const name of ["alice", "bob"]) {
      const count = filledBy.filter(({ row }) => nameOf(history, row) === name).length;
      expect(text.includes(`${count} of ${name}`)).toBe(count > 0);
    }
    expect(text.includes("none of them")).toBe(
      !filledBy.some(({ row }) => nameOf(history, row) === sender),
    );
  },
  share: (text, { explanation: { share, budget, gateway } }) => {
    expect(text).toContain(
      `Gateway ${gateway!} admits ${Math.max(1, Math.floor(budget!.rate / share!.active))} of`,
    );
    expect(text.includes("crashed")).toBe(share!.ended.length > 0);
  },
  spec: (text, { explanation: { agrees } }) => {
    expect(text.includes("does not allow")).toBe(agrees === "no");
  },
};

test("each sentence claims what the explanation has, for random worlds", async () => {
  const seen = new Map(Object.keys(CLAIMS).map((id) => [id, 0]));
  await holdsUntil(
    3,
    () => Math.min(...seen.values()),
    fc.property(worlds, (world) => {
      for (const explained of explainAll(world)) {
        const answer = answerExplain(explained.explanation);
        expect(answer[0]!.id).toBe("why");
        const { sender, filledBySenders } = explained.explanation;
        expect(answer.some(({ id }) => id === "senders")).toBe(
          filledBySenders.some((each) => each.sender !== sender),
        );
        for (const { id, text } of answer) {
          CLAIMS[id]!(text, explained);
          expect(text).not.toMatch(/NaN|undefined|null|Infinity|(?<![\d.,])1 (requests|tokens)\b/);
          seen.set(id, seen.get(id)! + 1);
        }
      }
    }),
    25,
  );
});

const BASE: World = {
  algorithm: "fixed_window",
  rate: 2,
  apiRate: 12,
  quota: -1,
  nodes: 1,
  sent: 4,
  crashes: false,
};
const answersOf = (world: Partial<World>, which: (each: Explanation) => boolean) => {
  const found = explainAll({ ...BASE, ...world }).find(({ explanation }) => which(explanation))!;
  return answerExplain(found.explanation).map(({ text }) => text);
};
const isRefused = ({ budget }: Explanation): boolean => budget !== null;

test("a refusal has its cause, and the wait that would have been enough", () => {
  expect(answersOf({}, isRefused)).toEqual([
    "alice got 429: all 2 requests per second for this key were used; the same request would have been admitted 500 ms later.",
  ]);
  expect(answersOf({ algorithm: "token_bucket" }, isRefused)).toEqual([
    "alice got 429: 1.5 of the 2 tokens for this key were used, and a request needs a whole one; the same request would have been admitted 250 ms later.",
  ]);
});

test("a limit of 0 admits nothing, also where each gateway has a share of it", () => {
  const ofAlice = ({ budget, sender }: Explanation): boolean =>
    budget !== null && sender === "alice";
  for (const algorithm of ["fixed_window", "drl"])
    expect(answersOf({ algorithm, rate: 0, nodes: 2 }, ofAlice)).toEqual([
      "alice got 429: the limit of 0 per second for this key admits nothing; no wait would have admitted it.",
    ]);
});

test("several gateways that ended have their last heartbeats", () => {
  const world = { ...BASE, algorithm: "drl", rate: 8, nodes: 2, sent: 12, crashes: true };
  const { explanation } = explainAll(world).find(
    (each) => each.explanation.share?.ended.length === 1,
  )!;
  const { share } = explanation;
  const textWith = (ended: NonNullable<typeof share>["ended"]): string | undefined =>
    answerExplain({ ...explanation, share: { ...share!, ended } }).find(({ id }) => id === "share")
      ?.text;
  const [end] = share!.ended;
  expect(textWith([end!])).toMatch(
    /gateways\. Gateway 0 \(crashed at \S+ s\) counts until its last heartbeat expires/,
  );
  expect(textWith([end!, { ...end!, gateway: 5 }])).toMatch(
    /Gateway 0 \(crashed at \S+ s\) and gateway 5 \(crashed at \S+ s\) count until their last heartbeats expire/,
  );
});

test("the names of others vanish with their requests", () => {
  const shared = answersOf({ apiRate: 3, rate: 12 }, isRefused);
  expect(shared[0]).toMatch(/all 3 requests per second for all clients of this API were used/);
  expect(shared[1]).toMatch(/^It was filled by \d of \w+ and \d of \w+\.$/);
  expect(answersOf({ apiRate: 12 }, isRefused)).toHaveLength(1);
});

test("of many senders three are named, and the others are counted", () => {
  const [{ explanation }] = explainAll(BASE) as [Explained];
  const namesSenders = (count: number): string | undefined =>
    answerExplain({
      ...explanation,
      sender: "a",
      filledBySenders: ["a", "b", "c", "d", "e"]
        .slice(0, count)
        .map((sender, at) => ({ sender, requests: 9 - at })),
    }).find(({ id }) => id === "senders")?.text;
  expect(namesSenders(3)).toBe("It was filled by 9 of a, 8 of b and 7 of c.");
  expect(namesSenders(4)).toBe("It was filled by 9 of a, 8 of b, 7 of c and 6 of 1 other client.");
  expect(namesSenders(5)).toBe(
    "It was filled by 9 of a, 8 of b, 7 of c and 11 of 2 other clients.",
  );
});

test("a request without a key, and a lost one, have an answer", () => {
  expect(answersOf({}, ({ status }) => status === 401)).toEqual([
    "flow nobody got 401 before any limit: orders needs a key, and flow nobody sends none.",
  ]);
  expect(answersOf({ crashes: true }, ({ status }) => isLost(status))[0]).toMatch(
    /^(alice|bob) got no response: no gateway took the connection \(sent at /,
  );
});

test("a disagreement with the specification has a sentence", () => {
  const [{ explanation }] = explainAll(BASE) as [Explained];
  const of = (agrees: Explanation["agrees"]) =>
    answerExplain({ ...explanation, agrees }).find(({ id }) => id === "spec")?.text;
  expect(of("yes")).toBeUndefined();
  expect(of("no")).toBe("The specification does not allow this decision.");
  expect(of("open")).toMatch(/^The specification allows this decision and the opposite one: /);
});

test.each([
  ["alice", 'all 5 requests per second for this key under policy "quick" were used'],
  ["bob", 'all 3 requests per second for this key at this API under policy "own" were used'],
  ["carol", 'all 2 requests per minute in the quota for this key under policy "quota" were used'],
  ["dave", "all 4 requests per second for this key were used"],
])("a limit that comes from a policy names it: %s, %s", (name, cause) => {
  const scenario = scenarioOf(`
title: policies
world:
  apis: { orders: { listen: /orders } }
  policies:
    bulk: { rate: 30, per: 1m, apis: [orders] }
    quick: { rate: 5, per: 1s, apis: [orders] }
    own: { access_rights: { orders: { limit: { rate: 3, per: 1s } } } }
    quota: { apis: [orders], quota_max: 2, quota_renewal_rate: 60 }
  keys:
    alice: { apply_policies: [bulk, quick] }
    bob: { apply_policies: [own] }
    carol: { apply_policies: [quota] }
    dave: { rate: 4, per: 1s, apis: [orders] }
  gateway: { algorithm: fixed_window }
traffic: [{ name: flow, as: ${name}, send: GET /orders, burst: 6, at: 0s }]
expect: [{ id: counted, count: {}, atLeast: 1 }]
`);
  const variant = scenario.variants[0]!;
  const history = playVirtual(variant, plan(variant, scenario.id, 1));
  const [text] = [...explainVariant(variant, history, [5]).values()].flatMap(answerExplain);
  expect(text?.text).toContain(`${name} got `);
  expect(text?.text).toContain(`: ${cause}; `);
});
