// The sides in the answer of weir diff: their limiters, and limits that count nothing.
import { expect, test } from "vitest";
import type { ConfigurationSide } from "#src/studies/replay/configuration-side.ts";
import { answerDiff } from "#src/show/answers/diff.ts";
import { facts, sentence, without } from "./diff-premises.ts";

test("limits that were typed are named in words, second", () => {
  const sideWith = (algorithm: string | null, rate: number): ConfigurationSide => ({
    ...facts.before,
    rules: [],
    open: [],
    limiter: { algorithm, profile: algorithm === null ? "nginx" : null, rate, perUs: 60_000_000 },
  });
  const [log, bucket] = [sideWith("sliding_log", 60), sideWith("token_bucket", 43)];
  expect(answerDiff({ ...facts, before: log, after: bucket })[1]!.text).toBe(
    "The change is from a sliding log of 60 per minute, which counts refusals, to a token bucket of 43 per minute.",
  );
  expect(sentence({ ...facts, before: bucket, after: log }, "limiters")).toMatch(
    / to a sliding log of 60 per minute, which counts refusals\.$/,
  );
  expect(sentence({ ...facts, after: sideWith(null, 9) }, "limiters")).toBe(
    "The change is from nginx-1.conf to nginx of 9 per minute.",
  );
  expect(sentence(facts, "limiters")).toBeUndefined();
  expect(sentence({ ...facts, before: log, requests: 0 }, "limiters")).toBeUndefined();
});

test("a configuration that limits no request is named second", () => {
  expect(sentence(facts, "nothing")).toBeUndefined();
  const [all] = facts.before.rules;
  const idle = { ...without, before: { ...facts.before, rules: [all!] } };
  expect(answerDiff(idle)[1]).toMatchObject({
    id: "nothing",
    text: "The old configuration limits no request of this log: check that the log has what its key and location need.",
  });
  expect(sentence({ ...idle, after: idle.before }, "nothing")).toMatch(
    /; the new configuration limits no request /,
  );
  expect(sentence({ ...idle, requests: 0 }, "nothing")).toBeUndefined();
});

test("limits that count no request of the log are counted, the same in both files once", () => {
  const [all, one] = facts.before.rules;
  expect([all!.counted, one!.counted]).toEqual([0, 9]);
  expect(sentence(facts, "unused")).toBe(
    "2 limits count no request of the log: check that the log has what their keys and locations need.",
  );
  const by = { file: "a.conf", line: 7, text: "return 200" };
  const answered = { ...facts.before, rules: [{ ...all!, answeredBy: by }, one!] };
  expect(sentence({ ...facts, before: answered, after: answered }, "unused")).toBe(
    "1 limit counts no request of the log: return 200 (a.conf:7) answers before the limit counts.",
  );
  const ofBefore = { ...facts, after: { ...facts.after, rules: [] } };
  expect(sentence(ofBefore, "unused")).toMatch(/^1 limit counts no request of the log: /);
  expect(
    sentence({ ...ofBefore, before: { ...facts.before, rules: [one!] } }, "unused"),
  ).toBeUndefined();
  expect(sentence({ ...facts, requests: 0 }, "unused")).toBeUndefined();
});

test("a fleet that counts apart multiplies a limit, on one side or on both", () => {
  const fleet = {
    instances: 4,
    sharesCounters: false,
    isAssumed: true,
    balancer: "round-robin",
  } as const;
  const onFleet = ({ rules, ...side }: ConfigurationSide): ConfigurationSide => ({
    ...side,
    rules: rules.map((rule) => ({ ...rule, instances: 4 })),
    fleet,
  });
  const before = onFleet(facts.before);
  expect(sentence({ ...facts, before, after: onFleet(facts.after) }, "fleet")).toBe(
    "The 4 instances count apart, as nginx usually does: 1r/s admits up to 4 per second by round robin.",
  );
  expect(sentence({ ...facts, before }, "fleet")).toMatch(/^Before, the 4 instances count apart,/);
  const [first] = before.rules;
  const mixed = { ...before, rules: [{ ...first!, instances: 1, limit: "9r/s" }, first!] };
  expect(sentence({ ...facts, before: mixed }, "fleet")).toBe(
    "Before, the 4 instances count apart for 1 of 2 limits, as nginx usually does: 1r/s admits up to 4 per second by round robin.",
  );
  const shared = { ...facts.before, fleet: { ...fleet, sharesCounters: true } };
  expect(sentence({ ...facts, before: shared }, "fleet")).toMatch(/^Before, the 4 instances share/);
  expect(sentence(facts, "fleet")).toBeUndefined();
});
