// Each word of the vocabulary on a history that shows the opposite, on one that shows nothing, and on one that leaves it
// open. A missing word does not compile.
import { expect, test } from "vitest";
import { checkAcross, type AcrossRun } from "#src/lab/check/across.ts";
import { checkVariant } from "#src/lab/check/run.ts";
import { errorAt } from "#src/kit/reading/problems.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { secondsToMicros } from "#src/kit/units.ts";
import { readHistory } from "#src/lab/scenario/history/read.ts";
import { writeHistory } from "#src/lab/scenario/history/write.ts";
import type { Measure, Scenario } from "#src/lab/scenario/types.ts";
import type { Outcome } from "#src/lab/scenario/verdict.ts";
import {
  BOUNDED,
  callMade,
  deliveryMade,
  historyOf,
  rowsOf,
  type HistoryText,
} from "../../histories/history.ts";
import { EVERYTHING, key, variantOf, type VariantText } from "../../histories/world.ts";

interface Seen extends HistoryText {
  readonly world?: VariantText;
  readonly variation?: Measure; // replaces the measure of the word
}

interface Doubt {
  readonly measure: Measure;
  readonly pass: Seen;
  readonly fail: Seen;
  readonly vacuous: Seen;
  /** A string is the reason why no history leaves this word open. */
  readonly inconclusive: Seen | string;
  /** The variant that this one is compared with. */
  readonly reference?: Seen;
}

const NOTHING: Seen = { rows: [] };
const twice = { rows: rowsOf("2*200", 0, 1) };
const ups = (...at: readonly number[]): Seen => ({
  rows: rowsOf("9*200", 0, 1),
  events: at.map((each) => ({ event: "RateLimitSmoothingUp", at: each })),
});
const allowances = (...values: readonly number[]): Seen => ({
  rows: rowsOf("9*200", 0, 1),
  gauges: values.map((value, at) => ({ at, value })),
});
const costing = (...commandsBefore: readonly number[]): Seen => ({
  rows: commandsBefore.map((each, at) => ({ at, commandsBefore: each })),
});
const inStage = (seen: Seen): Seen => ({ ...seen, world: { stages: [{ name: "only", forS: 5 }] } });

const alice: VariantText = { keys: [key("alice", { limit: limitOf(1, 1) })] };
const refused = { status: 429, by: "key", retryAfter: 1 } as const;
const ofAlice = (rows: HistoryText["rows"]): Seen => ({ rows: rows ?? [], world: alice });
/** Refused rightly when it came, 10 ms late, and to be admitted when it was planned. */
const LATE: Seen = {
  ...ofAlice([
    { at: 0.02, planned: 0 },
    { at: 1.01, planned: 1, ...refused },
  ]),
  timing: { ...BOUNDED, isStamped: true },
};

const DOUBTS: Readonly<Record<Measure["kind"], Doubt>> = {
  invariant: {
    measure: { kind: "invariant", rule: "bounds" },
    pass: ofAlice([{ at: 0 }, { at: 1 }]),
    fail: ofAlice([{ at: 0 }, { at: 0.5 }]),
    vacuous: { ...NOTHING, world: alice },
    inconclusive: { ...ofAlice([{ at: 0 }, { at: 1, span: [0.95, 1.05] }]), timing: BOUNDED },
  },
  sequence: {
    measure: {
      kind: "sequence",
      filter: EVERYTHING,
      equals: [{ times: 2, what: "200" }],
      agreeWith: null,
    },
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: {
      rows: [],
      variation: { kind: "sequence", filter: EVERYTHING, equals: [], agreeWith: null },
    },
    inconclusive: LATE,
  },
  decisions: {
    measure: { kind: "decisions", filter: EVERYTHING, agreeWith: "oracle" },
    pass: ofAlice([{ at: 0 }, { at: 0.5, ...refused }]),
    fail: ofAlice([{ at: 0 }, { at: 0.5 }]),
    vacuous: { ...NOTHING, world: alice },
    inconclusive: {
      ...ofAlice([
        { at: 0, span: [0, 0.4] },
        { at: 0.1, span: [0.1, 0.3], ...refused },
      ]),
      timing: BOUNDED,
    },
  },
  count: {
    measure: {
      kind: "count",
      filter: { ...EVERYTHING, status: [429] },
      comparison: { op: "equals", value: 0 },
      among: { op: "atLeast", value: 2 },
    },
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: { rows: rowsOf("200", 0, 1) },
    inconclusive: LATE,
  },
  maxInAnyWindow: {
    measure: {
      kind: "maxInAnyWindow",
      filter: EVERYTHING,
      windowUs: secondsToMicros(1),
      comparison: { op: "atMost", value: 1 },
    },
    pass: twice,
    fail: { rows: rowsOf("2*200", 0, 0.5) },
    vacuous: NOTHING,
    inconclusive: {
      timing: BOUNDED,
      rows: [
        { at: 0, span: [0, 0.2] },
        { at: 1, span: [1, 1.2] },
      ],
    },
  },
  timeToAdmission: {
    measure: {
      kind: "timeToAdmission",
      filter: EVERYTHING,
      percentile: null,
      comparison: { op: "atMost", value: secondsToMicros(1) },
    },
    pass: twice,
    fail: { rows: [{ at: 2, planned: 0 }] },
    vacuous: { rows: [{ at: 0, status: 401, reason: "credential" }] },
    inconclusive: LATE,
  },
  gaveUp: {
    measure: { kind: "gaveUp", filter: EVERYTHING, comparison: { op: "equals", value: 0 } },
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: { rows: [{ at: 0, status: 401, reason: "credential" }] },
    inconclusive: LATE,
  },
  events: {
    measure: {
      kind: "events",
      event: "RateLimitSmoothing*",
      key: "alice",
      during: { fromUs: secondsToMicros(2), toUs: secondsToMicros(9) },
      equals: [],
      count: null,
    },
    pass: ups(1),
    fail: ups(1, 3),
    vacuous: NOTHING,
    inconclusive: "a gateway records its events itself, whatever requests are lost",
  },
  gapBetween: {
    measure: {
      kind: "gapBetween",
      event: "RateLimitSmoothing*",
      key: "alice",
      comparison: { op: "atLeast", value: secondsToMicros(2) },
    },
    pass: ups(1, 3),
    fail: ups(1, 2),
    vacuous: ups(1),
    inconclusive: {
      ...ups(1),
      timing: BOUNDED,
      events: [
        { event: "RateLimitSmoothingUp", at: 1, gateway: 0 },
        { event: "RateLimitSmoothingUp", at: 3, gateway: 1 },
      ],
    },
  },
  changeOf: {
    measure: { kind: "changeOf", gauge: "allowance", key: "alice", in: [10] },
    pass: allowances(20, 30),
    fail: allowances(20, 40),
    vacuous: allowances(20, 20),
    inconclusive: "samples are what they are: between two of them nothing is examined",
  },
  gauge: {
    measure: {
      kind: "gauge",
      gauge: "allowance",
      key: "alice",
      stage: ["only"],
      when: "eventually",
      comparison: { op: "equals", value: 30 },
      withinUs: secondsToMicros(1),
      sometimes: [],
    },
    pass: inStage(allowances(20, 30)),
    fail: inStage(allowances(20, 20, 30)),
    vacuous: inStage({ rows: rowsOf("200", 0, 1) }),
    inconclusive: inStage({ ...allowances(20, 30), timing: BOUNDED }),
  },
  quantity: {
    measure: {
      kind: "quantity",
      quantity: { of: "storeCommands", before: "answer", per: "request" },
      filter: EVERYTHING,
      comparison: { op: "atMost", value: 2 },
    },
    pass: costing(1, 2),
    fail: costing(1, 3),
    vacuous: NOTHING,
    inconclusive: "a lost request has no figure, and every other one has its own",
  },
  response: {
    measure: {
      kind: "response",
      filter: EVERYTHING,
      nth: 1,
      status: 200,
      headers: {},
      body: null,
    },
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: NOTHING,
    inconclusive: LATE,
  },
  answer: {
    measure: {
      kind: "answer",
      call: ["raise"],
      nth: "all",
      status: 200,
      headers: { etag: '"2"' },
      body: { Message: "<contains updated>", Meta: null, ID: "<string>", Secret: "<absent>" },
    },
    pass: { calls: [callMade("raise")] },
    fail: { calls: [{ ...callMade("raise"), headers: {} }] },
    vacuous: { calls: [callMade("lower")] },
    inconclusive: "a call has its answer, or is known to have none",
  },
  deliveries: {
    measure: {
      kind: "deliveries",
      webhook: ["w1"],
      event: "Ratelimit*",
      url: "https://hooks.example/",
      during: null,
      nth: "all",
      matches: { headers: { "webhook-id": "<string>" }, error: "<absent>" },
      count: null,
      ids: null,
    },
    pass: { deliveries: [deliveryMade("w1")] },
    fail: { deliveries: [{ ...deliveryMade("w1"), error: "broke off" }] },
    vacuous: { deliveries: [deliveryMade("w2")] },
    inconclusive: "a delivery has its result, whatever requests are lost",
  },
  configuration: {
    measure: {
      kind: "configuration",
      level: "errors",
      op: "contains",
      problems: [{ code: "LIMIT-PER", path: null }],
    },
    pass: { world: { problems: [errorAt("LIMIT-PER", ["keys"], "per is missing")] } },
    fail: { world: { problems: [] } },
    vacuous: {
      variation: { kind: "configuration", level: "errors", op: "contains", problems: [] },
    },
    inconclusive: "the check answers at once, and nothing of it gets lost",
  },
  sameAs: {
    measure: { kind: "sameAs", axis: "form", value: "plain", filter: EVERYTHING },
    reference: twice,
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: NOTHING,
    inconclusive: LATE,
  },
};

function outcomeOf({ measure, reference }: Doubt, seen: Seen): Outcome | undefined {
  const flows = [{ name: "only", stages: ["only"] }];
  const runOf = (form: string, { world = {}, variation = measure, ...text }: Seen): AcrossRun => ({
    variant: variantOf({ ...world, flows, axes: { form }, expect: [variation] }),
    history: historyOf({
      ...text,
      flows,
      rows: (text.rows ?? []).map((row) => ({ stage: "only", ...row })),
    }),
  });
  const one = runOf("other", seen);
  if (reference === undefined) return checkVariant(one.variant, one.history)[0]?.outcome;
  const runs = [runOf("plain", seen.rows?.length === 0 ? seen : reference), one];
  const variants = runs.map(({ variant }) => variant);
  return checkAcross({ ...SCENARIO, variants }, runs)[0]?.outcome;
}

const SCENARIO: Scenario = {
  id: "test/doubt",
  file: "",
  title: "",
  about: "",
  proves: [],
  needs: [],
  variants: [],
  charts: [],
  lists: [],
};

const WORDS = Object.entries(DOUBTS);

test.each(WORDS)(
  "%s passes if it holds, and fails if the history shows the opposite",
  (_, doubt) => {
    expect(outcomeOf(doubt, doubt.pass)).toBe("pass");
    expect(outcomeOf(doubt, doubt.fail)).toBe("fail");
  },
);

test.each(WORDS)("%s is vacuous without anything to examine", (_, doubt) => {
  expect(outcomeOf(doubt, doubt.vacuous)).toBe("vacuous");
});

const OPEN = WORDS.flatMap(([word, doubt]) =>
  typeof doubt.inconclusive === "string" ? [] : [[word, doubt, doubt.inconclusive] as const],
);

test.each(OPEN)("%s is inconclusive if the history leaves it open", (_, doubt, seen) => {
  expect(outcomeOf(doubt, seen)).toBe("inconclusive");
});

test("a history without its footer is rejected before any word is evaluated", () => {
  const whole = [...writeHistory(historyOf(twice))].join("");
  const lines = whole.trimEnd().split("\n");
  const problemsOf = (part: readonly string[]): readonly string[] =>
    readHistory("run.ndjson", part).problems.map(({ code }) => code);
  expect(problemsOf(lines)).toEqual([]);
  for (let length = 1; length < lines.length; length++)
    expect(problemsOf(lines.slice(0, length))).toEqual(["HIST-CUT-OFF"]);
});
