// What each word of the vocabulary says when it should doubt: of a history that shows the opposite, of one
// that shows nothing, and of one that leaves it open. A word that is missing here does not compile.
import { expect, test } from "vitest";
import { checkAcross, type Run } from "../../src/check/across.ts";
import { checkVariant } from "../../src/check/run.ts";
import { errorAt } from "../../src/reading/problems.ts";
import { limitOf } from "../../src/core/limit.ts";
import { secondsToMicros } from "../../src/core/units.ts";
import { readHistory } from "../../src/scenario/history/read.ts";
import { writeHistory } from "../../src/scenario/history/write.ts";
import type { Measure, Scenario } from "../../src/scenario/types.ts";
import type { Outcome } from "../../src/scenario/verdict.ts";
import {
  BOUNDED,
  callMade,
  deliveryMade,
  historyOf,
  rowsOf,
  type HistoryText,
} from "../histories/history.ts";
import { EVERYTHING, key, variantOf, type VariantText } from "../histories/world.ts";

interface Seen extends HistoryText {
  readonly world?: VariantText;
  readonly asked?: Measure; // where the word itself has to ask otherwise
}

interface Doubt {
  readonly measure: Measure;
  readonly pass: Seen;
  readonly fail: Seen;
  readonly vacuous: Seen;
  /** A text: why no history leaves this word open. */
  readonly inconclusive: Seen | string;
  /** The variant that this one is compared with. */
  readonly beside?: Seen;
}

const NOTHING: Seen = { rows: [] };
const lost = (seen: Seen): Seen => ({ ...seen, unanswered: 1 });
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
const staged = (seen: Seen): Seen => ({ ...seen, world: { stages: [{ name: "only", forS: 5 }] } });

const alice: VariantText = { keys: [key("alice", { limit: limitOf(1, 1) })] };
const refused = { status: 429, by: "key", retryAfter: 1 } as const;
const decided = (rows: HistoryText["rows"]): Seen => ({ rows: rows ?? [], world: alice });

const DOUBTS: Readonly<Record<Measure["kind"], Doubt>> = {
  invariant: {
    measure: { kind: "invariant", rule: "bounds" },
    pass: decided([{ at: 0 }, { at: 1 }]),
    fail: decided([{ at: 0 }, { at: 0.5 }]),
    vacuous: { ...NOTHING, world: alice },
    inconclusive: { ...decided([{ at: 0 }, { at: 1, span: [0.95, 1.05] }]), timing: BOUNDED },
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
      asked: { kind: "sequence", filter: EVERYTHING, equals: [], agreeWith: null },
    },
    inconclusive: lost({ rows: rowsOf("200", 0, 1) }),
  },
  decisions: {
    measure: { kind: "decisions", filter: EVERYTHING, agreeWith: "oracle" },
    pass: decided([{ at: 0 }, { at: 0.5, ...refused }]),
    fail: decided([{ at: 0 }, { at: 0.5 }]),
    vacuous: { ...NOTHING, world: alice },
    inconclusive: {
      ...decided([
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
    inconclusive: lost(twice),
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
    inconclusive: lost(twice),
  },
  gaveUp: {
    measure: { kind: "gaveUp", filter: EVERYTHING, comparison: { op: "equals", value: 0 } },
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: { rows: [{ at: 0, status: 401, reason: "credential" }] },
    inconclusive: lost(twice),
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
    inconclusive: "a gateway tells its events itself, lost answers or not",
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
    inconclusive: "samples are what they are: between two of them nothing is asked",
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
    pass: staged(allowances(20, 30)),
    fail: staged(allowances(20, 20, 30)),
    vacuous: staged({ rows: rowsOf("200", 0, 1) }),
    inconclusive: staged({ ...allowances(20, 30), timing: BOUNDED }),
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
    inconclusive: lost(costing(1, 2)),
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
    inconclusive: lost({ rows: rowsOf("200 429", 0, 1) }),
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
    inconclusive: lost({ calls: [callMade("raise")] }),
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
    inconclusive: lost({ deliveries: [deliveryMade("w1")] }),
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
      asked: { kind: "configuration", level: "errors", op: "contains", problems: [] },
    },
    inconclusive: "the check answers at once, and nothing of it gets lost",
  },
  sameAs: {
    measure: { kind: "sameAs", axis: "form", value: "plain", filter: EVERYTHING },
    beside: twice,
    pass: twice,
    fail: { rows: rowsOf("200 429", 0, 1) },
    vacuous: NOTHING,
    inconclusive: lost({ rows: rowsOf("200", 0, 1) }),
  },
};

function outcomeOf({ measure, beside }: Doubt, seen: Seen): Outcome | undefined {
  const flows = [{ name: "only", stages: ["only"] }];
  const made = (form: string, { world = {}, asked = measure, ...text }: Seen): Run => ({
    variant: variantOf({ ...world, flows, axes: { form }, expect: [asked] }),
    history: historyOf({
      ...text,
      flows,
      rows: (text.rows ?? []).map((row) => ({ stage: "only", ...row })),
    }),
  });
  const one = made("other", seen);
  if (beside === undefined) return checkVariant(one.variant, one.history)[0]?.outcome;
  const runs = [made("plain", seen.rows?.length === 0 ? seen : beside), one];
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
};

const WORDS = Object.entries(DOUBTS);

test.each(WORDS)(
  "%s passes where it holds, and fails where the history shows the opposite",
  (_, doubt) => {
    expect(outcomeOf(doubt, doubt.pass)).toBe("pass");
    expect(outcomeOf(doubt, doubt.fail)).toBe("fail");
  },
);

test.each(WORDS)("%s is vacuous where there is nothing to look at", (_, doubt) => {
  expect(outcomeOf(doubt, doubt.vacuous)).toBe("vacuous");
});

const OPEN = WORDS.flatMap(([word, doubt]) =>
  typeof doubt.inconclusive === "string" ? [] : [[word, doubt, doubt.inconclusive] as const],
);

test.each(OPEN)("%s is inconclusive where the history leaves it open", (_, doubt, seen) => {
  expect(outcomeOf(doubt, seen)).toBe("inconclusive");
});

test("whatever a word says, a history that ends before its footer is no history", () => {
  const whole = [...writeHistory(historyOf(twice))].join("");
  const lines = whole.trimEnd().split("\n");
  const faults = (kept: readonly string[]): readonly string[] =>
    readHistory("run.ndjson", kept).problems.map(({ code }) => code);
  expect(faults(lines)).toEqual([]);
  for (let kept = 1; kept < lines.length; kept++)
    expect(faults(lines.slice(0, kept))).toEqual(["HIST-CUT-OFF"]);
});
