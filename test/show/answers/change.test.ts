// The answer of weir recommend --config: each sentence changes or vanishes with its premise.
import { expect, test } from "vitest";
import { answerChange } from "#src/show/answers/change.ts";
import type { UnansweredChange } from "#src/studies/diff/change-result.ts";

const facts: UnansweredChange = {
  format: "weir-change/2",
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
    {
      rule: "zone login, burst 2",
      file: "z.conf",
      line: 2,
      perUs: 60_000_000,
      what: "rate",
      name: "rate",
      unit: "r/m",
      from: 6,
      to: 27,
      most: 30,
      others: [
        { numbers: [{ what: "burst", name: "burst", unit: "", from: 2, to: 90 }], most: 96 },
      ],
      text: "rate=27r/m;",
    },
  ],
  after: { refused: 0, refusedClients: 0 },
  isMetAfter: true,
  without: null,
  isForAll: false,
  patch: "--- z.conf\n",
};

const left = { own: 4, others: 0 };
const [rate] = facts.changes as [(typeof facts.changes)[number]];
const toNine = [{ ...rate, to: 9 }];
const burst = {
  ...rate,
  file: "nginx.conf",
  line: 3,
  what: "burst" as const,
  name: "burst",
  unit: "",
  from: 2,
  to: 7,
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
    / 27r\/m for 6r\/m and rate 9r\/m for 5r\/m\.$/,
  );
});

test("a file that limits no request is never left as it is", () => {
  const none = { ...met, present: { refused: 0, refusedClients: 0 } };
  const idle = (answeredBy?: { file: string; line: number; text: string }): UnansweredChange => ({
    ...facts,
    ...none,
    configuration: {
      ...facts.configuration,
      rules: facts.configuration.rules.map((rule) => ({
        ...rule,
        counted: 0,
        refused: 0,
        ...(answeredBy === undefined ? {} : { answeredBy }),
      })),
    },
  });
  expect(answerChange(idle()).map(({ text }) => text)).toEqual([
    "nginx.conf limits no request of this log: check that the log has what its key and location need.",
  ]);
  const by = { file: "nginx.conf", line: 4, text: "return 200" };
  expect(answerChange(idle(by)).map(({ text }) => text)).toEqual([
    "nginx.conf limits no request of this log: return 200 (nginx.conf:4) answers before the limit counts.",
  ]);
  const [rule] = idle(by).configuration.rules;
  const other = { ...rule!, rule: "zone b", answeredBy: { ...by, line: 9 } };
  const several = { ...idle(by), configuration: { ...facts.configuration, rules: [rule!, other] } };
  expect(answerChange(several)[0]!.text).toMatch(
    / return 200 \(nginx\.conf:4\) and others answer before the limits count\.$/,
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
  const target = "refuse at most 0.1 % of the requests and requests of at most 1 % of the clients";
  expect(sentence("change")).toBe(`To ${target}, write 27r/m for 6r/m (z.conf:2).`);
  expect(sentence("change", met)).toBe(`That is within the target: to ${target}.`);
  expect(sentence("change", { isMetAfter: false })).toBe(
    `No change of a rate, a time or a burst is enough to ${target}.`,
  );
});

test("its effect is what remains refused", () => {
  expect(sentence("effect")).toBe("With it no request of this log is refused.");
  expect(sentence("effect", { after: { refused: 1, refusedClients: 1 } })).toBe(
    "With it 1 request is refused (3.8 %), of 1 client.",
  );
  expect(sentence("effect", met)).toBeUndefined();
});

test("clients without which less would do are named, or the file is left as it is", () => {
  expect(sentence("outliers")).toBeUndefined();
  expect(
    sentence("outliers", {
      without: { clients: ["a"], requests: 20, refused: 14, changes: toNine, left },
    }),
  ).toBe("Without client a, 9r/m for 6r/m would do.");
  const without = { clients: ["a", "b"], requests: 20, refused: 13, changes: [], left };
  expect(sentence("outliers", { without })).toBe(
    "Without clients a and b, no change would be needed.",
  );
  expect(sentence("outliers", { without, clients: 199 })).not.toBeUndefined();
  expect(sentence("outliers", { without, clients: 200 })).toBeUndefined();
  expect(sentence("present", { without, clients: 200 })).toBe(
    "Leave nginx.conf as it is: it refuses 13 of the 20 requests of a and b, and 1 of the 6 of the others.",
  );
  expect(sentence("change", { without, clients: 200 })).toMatch(
    /^If they are customers, add --with-outliers: the smallest change is then 27r\/m for 6r\/m \(z\.conf:2\)\.$/,
  );
  for (const id of ["effect", "other"])
    expect(sentence(id, { without, clients: 200 })).toBeUndefined();
  expect(sentence("present", { without, clients: 200, isForAll: true })).toMatch(
    /; the smallest change is 27r\/m for 6r\/m\.$/,
  );
});

test("a file that is too strict without exceptions too has the change for the others first", () => {
  const without = { clients: ["a"], requests: 20, refused: 13, changes: toNine, left };
  const changed = { without, clients: 200 };
  expect(answerChange({ ...facts, ...changed })[0]!.text).toBe(
    "nginx.conf is too strict even without a: write 9r/m for 6r/m (z.conf:2), and it refuses none of the 6 requests of the others.",
  );
  expect(sentence("spared", changed)).toBe(
    "It then refuses 4 of the 20 requests of this client; now it refuses 13, and 1 of the others.",
  );
  const two = { ...without, clients: ["a", "b"], left: { own: 0, others: 2 } };
  expect(sentence("present", { without: two, clients: 200 })).toMatch(
    /^nginx\.conf is too strict even without a and b: .+ refuses 2 of the 6 requests of the others\.$/,
  );
  expect(sentence("spared", { without: two, clients: 200 })).toMatch(
    /^It then refuses none of the 20 requests of these 2; now/,
  );
  for (const changes of [
    { without: null },
    { without: { ...without, changes: [] } },
    { isForAll: true },
  ]) {
    expect(sentence("spared", { ...changed, ...changes })).toBeUndefined();
    expect(sentence("present", { ...changed, ...changes })).not.toMatch(/even without/);
  }
});

test("the next step applies a change of one file", () => {
  expect(sentence("next")).toBe(
    "The change is below: pipe this output into patch z.conf to apply it.",
  );
  const [change] = facts.changes;
  expect(sentence("next", { changes: [change!, { ...change!, file: "b.conf" }] })).toBeUndefined();
  expect(sentence("next", met)).toBeUndefined();
});

test("the other number that would do is named with what both let through", () => {
  expect(sentence("other")).toBe(
    "In its place, burst 90 for 2 would do too, but then a sender gets up to 96 in any minute, not 30.",
  );
  const withOther = (most: number | null): string | undefined =>
    sentence("other", { changes: [{ ...rate, others: [{ ...rate.others[0]!, most }] }] });
  expect(withOther(30)).toMatch(
    / would do too; with each, a sender gets up to 30 in any minute\.$/,
  );
  expect(withOther(null)).toBe("In its place, burst 90 for 2 would do too.");
  expect(sentence("other", { changes: [{ ...rate, others: [] }] })).toBeUndefined();
  expect(sentence("other", { changes: [rate, { ...rate, rule: "b" }] })).toBeUndefined();
  const sentenceOf = (name: string): string | undefined =>
    sentence("present", {
      changes: [{ ...rate, what: "time", name, unit: "s", from: 1, to: 0.4 }],
    });
  expect(sentenceOf("fill_interval")).toMatch(
    / the smallest change is fill_interval 0\.4s for 1s\.$/,
  );
  expect(sentenceOf("")).toMatch(/ the smallest change is 0\.4s for 1s\.$/);
});

test("a rate and a burst together are written as one change, and each alone has its price", () => {
  const others = [
    { numbers: [{ what: "rate" as const, name: "rate", unit: "r/m", from: 6, to: 60 }], most: 63 },
    ...rate.others,
  ];
  const changes = [rate, burst].map((each) => ({ ...each, others }));
  expect(sentence("present", { changes })).toMatch(
    /; the smallest change is 27r\/m for 6r\/m and burst 7 for 2\.$/,
  );
  expect(sentence("change", { changes })).toMatch(
    /, write 27r\/m for 6r\/m \(z\.conf:2\) and burst 7 for 2 \(nginx\.conf:3\)\.$/,
  );
  expect(sentence("other", { changes })).toBe(
    "In their place, 60r/m for 6r/m alone would do too, but then a sender gets up to 63 in any minute, not 30; burst 90 for 2 alone 96.",
  );
  const unknown = changes.map((each) => ({
    ...each,
    others: [others[0]!, { ...others[1]!, most: null }],
  }));
  expect(sentence("other", { changes: unknown })).toMatch(/; burst 90 for 2 alone over 5,000\.$/);
  const without = { clients: ["a"], requests: 20, refused: 14, changes: [rate, burst], left };
  expect(sentence("outliers", { without })).toBe(
    "Without client a, 27r/m for 6r/m and burst 7 for 2 would do.",
  );
});
