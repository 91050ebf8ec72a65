import { expect, test } from "vitest";
import type { Measure } from "#src/lab/scenario/types.ts";
import { deliveryMade, type HistoryText } from "../../histories/history.ts";
import { verdictOn } from "./verdict-on.ts";

type Deliveries = Extract<Measure, { kind: "deliveries" }>;

const measure = (more: Partial<Deliveries>): Measure => ({
  kind: "deliveries",
  webhook: null,
  event: null,
  url: null,
  during: null,
  nth: "all",
  matches: null,
  count: null,
  ids: null,
  ...more,
});

const again = { ...deliveryMade("w1"), attempt: 2 };
const HISTORY: HistoryText = {
  deliveries: [again, deliveryMade("w1"), { ...deliveryMade("w2"), delivery: "d-2" }],
};
const times = (value: number) => ({ op: "equals", value }) as const;

test.each<[what: Partial<Deliveries>, outcome: string]>([
  [{ webhook: ["w1"], count: times(2), ids: times(1) }, "pass"],
  [{ webhook: ["w1"], count: times(2), ids: times(2) }, "fail"],
  [{ count: times(3), ids: times(2) }, "pass"],
  [{ webhook: ["w2"], nth: 0, matches: { delivery: "d-2" } }, "pass"],
  [{ matches: { delivery: "d-1" } }, "fail"],
  [{ matches: { error: "<absent>", body: { meta: { count: 2 } } } }, "pass"],
  [{ event: "Quota*", count: times(0) }, "pass"],
  [{ event: "Quota*", count: times(1), matches: { status: 200 } }, "fail"],
  [{ event: "Quota*", matches: { status: 200 } }, "vacuous"],
  [{ url: "https://other.example/", count: times(0) }, "pass"],
])("%o: %s", (what, outcome) => {
  expect(verdictOn(measure(what), HISTORY).outcome).toBe(outcome);
});

test('without any deliveries, "none" is vacuous', () => {
  expect(verdictOn(measure({ count: times(0) }), {}).outcome).toBe("vacuous");
});
