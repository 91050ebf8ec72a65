// The answer of weir recommend --config: each sentence changes or vanishes with its premise.
import { expect, test } from "vitest";
import { answerChange } from "#src/show/answers/change.ts";
import type { UnansweredChange } from "#src/studies/diff/change-result.ts";

const facts: UnansweredChange = {
  format: "weir-change/1",
  key: "ip",
  configuration: {
    name: "nginx.conf",
    kind: "nginx",
    rules: [
      {
        rule: "zone login, burst 2",
        limit: "6r/m",
        rate: 6,
        perUs: 60_000_000,
        instances: 1,
        status: 503,
        file: "nginx.conf",
        line: 3,
        counted: 20,
        refused: 14,
      },
    ],
    open: [],
    questions: [],
    fleet: null,
  },
  logs: [],
  requests: 26,
  clients: 2,
  target: { requests: 0.001, clients: 0.01 },
  present: { refused: 14, refusedClients: 1 },
  isMet: false,
  changes: [
    { rule: "zone login, burst 2", file: "z.conf", line: 2, from: 6, to: 27, text: "rate=27r/m;" },
  ],
  after: { refused: 0, refusedClients: 0 },
  isMetAfter: true,
  patch: "--- z.conf\n",
};

const sentence = (id: string, changed: Partial<UnansweredChange> = {}): string | undefined =>
  answerChange({ ...facts, ...changed }).find((each) => each.id === id)?.text;

const met: Partial<UnansweredChange> = {
  isMet: true,
  isMetAfter: true,
  changes: [],
  after: null,
  patch: null,
};

test("the first sentence has the present refusals and the numbers to write", () => {
  expect(sentence("present")).toBe(
    "nginx.conf refuses 14 of 26 requests (53.8 %), of 1 of 2 clients; the smallest change is 27r/m for 6r/m.",
  );
  const none = { refused: 0, refusedClients: 0 };
  expect(sentence("present", { ...met, present: none })).toBe(
    "nginx.conf refuses none of the 26 requests of this log; leave it as it is.",
  );
  expect(sentence("present", { isMetAfter: false })).toMatch(/, of 1 of 2 clients\.$/);
  const [change] = facts.changes;
  const other = { ...change!, rule: "unknown", from: 5, to: 9 };
  expect(sentence("present", { changes: [change!, other] })).toMatch(
    / 27r\/m for 6r\/m and 9 for 5\.$/,
  );
});

test("the limit that refuses most is named, and vanishes if none refuses", () => {
  expect(sentence("rule")).toBe(
    "All 14 are refused by 6r/m of zone login, burst 2 (nginx.conf:3).",
  );
  expect(sentence("rule", { present: { refused: 20, refusedClients: 1 } })).toMatch(
    /^14 of them are /,
  );
  const rules = facts.configuration.rules.map((rule) => ({ ...rule, refused: 0 }));
  expect(sentence("rule", { configuration: { ...facts.configuration, rules } })).toBeUndefined();
});

test("the change has the new lines, or no change is needed, or none is enough", () => {
  const target =
    "refuse at most 0.1 % of the requests and requests of at most 1 % of the clients";
  expect(sentence("change")).toBe(`To ${target}, write rate=27r/m; (z.conf:2).`);
  expect(sentence("change", met)).toBe(`That is within the target: to ${target}.`);
  expect(sentence("change", { isMetAfter: false })).toBe(
    `No change of the rates in this file alone is enough to ${target}.`,
  );
});

test("its effect is what remains refused", () => {
  expect(sentence("effect")).toBe("With it no request of this log is refused.");
  expect(sentence("effect", { after: { refused: 1, refusedClients: 1 } })).toBe(
    "With it 1 request is refused (3.8 %), of 1 client.",
  );
  expect(sentence("effect", met)).toBeUndefined();
});

test("the next step applies a change of one file", () => {
  expect(sentence("next")).toBe(
    "The change is below: pipe this output into patch z.conf to apply it.",
  );
  const [change] = facts.changes;
  expect(sentence("next", { changes: [change!, { ...change!, file: "b.conf" }] })).toBeUndefined();
  expect(sentence("next", met)).toBeUndefined();
});
