// The timeline of the playground in memory: lanes of stacked requests, and what happens during a run, in the text.
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readSource } from "#src/kit/reading/source.ts";
import { SECOND } from "#src/kit/units.ts";
import { decode, SCENARIO_FILE } from "#src/lab/scenario/read/decode.ts";
import { MARK_ANSWERS, type RequestMarks } from "#src/show/site/request-marks.ts";
import { eventsAfter, timelineEvents, type TimelineEvent } from "#src/show/site/timeline/events.ts";
import {
  countUntil,
  laneNames,
  laneOfAll,
  lanesOfFlows,
  stacksOf,
  sumsOf,
} from "#src/show/site/timeline/lanes.ts";
import { countHtml, ticksHtml } from "#src/show/site/timeline/timeline-html.ts";
import {
  applyChange,
  SITE_FAULTS,
  withFault,
  withoutItem,
  withTime,
  type TextChange,
} from "#src/show/site/with-fault.ts";
import { holds } from "../../runs.ts";

const END = 10 * SECOND;

const marksOf = (
  requests: readonly { readonly atUs: number; readonly answer: number; readonly flow: number }[],
): RequestMarks => {
  const sorted = requests.toSorted((one, other) => one.atUs - other.atUs);
  return {
    flows: ["steady", "burst-1", "burst-2"],
    atUs: Float64Array.from(sorted, ({ atUs }) => atUs),
    rows: Uint32Array.from(sorted.keys()),
    flow: Uint16Array.from(sorted, ({ flow }) => flow),
    status: new Uint16Array(sorted.length),
    answer: Uint8Array.from(sorted, ({ answer }) => answer),
    endUs: END,
    leftOut: 0,
  };
};

const anyMarks = fc
  .array(
    fc.record({
      atUs: fc.integer({ min: 0, max: END }),
      answer: fc.nat({ max: MARK_ANSWERS.length - 1 }),
      flow: fc.nat({ max: 2 }),
    }),
    { maxLength: 60 },
  )
  .map(marksOf);

test("each request has a place of its own, in the column of its time and above better answers", () => {
  holds(
    fc.property(anyMarks, fc.integer({ min: 1, max: 40 }), (marks, columns) => {
      const stacks = stacksOf(laneOfAll("", 0, marks), marks, END, columns);
      const heights = Array.from({ length: columns }, () => 0);
      for (const [index, atUs] of marks.atUs.entries()) {
        const { column, level } = stacks.placeOf(index)!;
        expect(stacks.at(column, level)).toBe(index);
        expect(column).toBe(Math.min(columns - 1, Math.floor((atUs / END) * columns)));
        heights[column]! += 1;
        const below = marks.answer[stacks.at(column, level - 1)] ?? 0;
        expect(below).toBeLessThanOrEqual(marks.answer[index]!);
      }
      expect(stacks.highest).toBe(Math.max(0, ...heights));
      for (const [column, height] of heights.entries()) {
        expect(stacks.at(column, height)).toBe(-1);
        expect(stacks.counts.reduce((sum, each) => sum + each[column]!, 0)).toBe(height);
      }
      expect(stacks.at(-1, 0)).toBe(-1);
    }),
    60,
  );
});

test("until a time each answer is counted as often as it has been given", () => {
  holds(
    fc.property(anyMarks, fc.nat({ max: 80 }), fc.integer({ min: -1, max: 1 }), (marks, at, by) => {
      const us = (marks.atUs[at] ?? END) + by; // around a request, or the end
      const lane = laneOfAll("", 0, marks);
      const until = [...marks.answer].filter((_, index) => marks.atUs[index]! <= us);
      expect(countUntil(lane.indexes, marks.atUs, us)).toBe(until.length);
      expect(sumsOf(lane, marks).until(us)).toEqual(
        [...MARK_ANSWERS.keys()].map((kind) => until.filter((each) => each === kind).length),
      );
    }),
    60,
  );
});

test("flows that differ in a number share a lane", () => {
  const marks = marksOf([0, 1, 2, 1].map((flow, order) => ({ atUs: order, answer: 0, flow })));
  expect(lanesOfFlows(3, marks)).toEqual([
    { name: "steady", variant: 3, indexes: [0] },
    { name: "burst", variant: 3, indexes: [1, 2, 3] },
  ]);
});

test("lanes are named after what differs between the variants", () => {
  const axes = (gateway: object, retry: boolean) => ({ axes: { limit: "10/5s", gateway, retry } });
  const gcra = { algorithm: "gcra", burst: 5 };
  expect(laneNames([axes(gcra, true), axes({ profile: "nginx" }, true)])).toEqual([
    "gcra, burst 5",
    "nginx",
  ]);
  expect(laneNames([axes(gcra, true), axes(gcra, false)])).toEqual(["retry true", "retry false"]);
  expect(laneNames([{ axes: { limit: "10/5s" } }])).toEqual([""]);
});

test("the words of a lane count what was lost, and its axis has room for its labels", () => {
  const words = (counts: readonly number[]): string =>
    String(countHtml(counts)).replace(/<[^>]*>/g, "");
  expect(words([1200, 0, 3, 0, 7])).toBe("1,200 admitted, 3 refused, 7 lost");
  expect(words([5, 2, 0, 1, 0])).toBe("7 admitted, 2 of them late, 1 rejected");
  const labels = (seconds: number, width: number): readonly string[] =>
    [...String(ticksHtml(seconds * SECOND, width)).matchAll(/>([^<]+)</g)].map(([, each]) => each!);
  expect(labels(30, 800)).toEqual(["0s", "5s", "10s", "15s", "20s", "25s", "30s"]);
  expect(labels(30, 330)).toEqual(["0s", "10s", "20s", "30s"]);
  expect(labels(7 * 86_400, 330).length).toBeLessThan(8);
});

const TEXT = `title: some requests
world:
  apis: { orders: { listen: /orders } }
  keys: { alice: { apis: [orders], rate: 2, per: 1 } }
traffic:
  - { as: alice, send: GET /orders, rate: 4, for: 10s }
  - { at: 4s, name: change 1, call: PUT admin/org/keys/alice, body: { rate: 5 } }
faults:
  - at: 5s
    gateway: restart
    node: 0
  - { at: 2.5s, for: 2s, store: down } # why not
expect:
  - { id: some are admitted, count: { status: 200 }, atLeast: 1 }
`;

const eventsOf = (text: string) => timelineEvents(readSource("a.yaml", text, SCENARIO_FILE));
const facts = (text: string): readonly unknown[] =>
  eventsOf(text).map(({ atUs, forUs, words }) => [atUs / SECOND, forUs / SECOND, words]);

test("events are found where they are in the text, moved and removed", () => {
  expect(facts(TEXT)).toEqual([
    [5, 0, "gateway 0 restarts"],
    [2.5, 2, "store down"],
    [4, 0, "limit becomes 5"],
  ]);
  const [restart, down, change] = eventsOf(TEXT);
  const moved = applyChange(TEXT, withTime(restart!.at, 12.5));
  expect(facts(moved)[0]).toEqual([12.5, 0, "gateway 0 restarts"]);
  const first = applyChange(TEXT, withoutItem(TEXT, restart!.item));
  expect(facts(first)).toEqual(facts(TEXT).slice(1));
  expect(first).toContain("# why not");
  expect(facts(applyChange(TEXT, withoutItem(TEXT, change!.item)))).toEqual(
    facts(TEXT).slice(0, 2),
  );
  const last = eventsOf(first).find(({ words }) => words === down!.words)!;
  const none = applyChange(first, withoutItem(first, last.item));
  expect(none).not.toContain("faults:");
  expect(facts(none)).toEqual([[4, 0, "limit becomes 5"]]);
  const list = "[{ at: 1s, store: down, for: 1s }, { at: 2s, store: restart }]";
  const inline = TEXT.replace(/faults:[^]*(?=expect:)/, `faults: ${list}\n`);
  for (const each of eventsOf(inline).slice(0, 2)) {
    const rest = applyChange(inline, withoutItem(inline, each.item));
    expect(facts(rest).length).toBe(2);
  }
  expect(facts("faults: 3\ntraffic: [4]")).toEqual([]);
  expect(facts("")).toEqual([]);
});

test("after any change by a flag, the places of the others are those of the new text", () => {
  const placesOf = ({ at, item }: TimelineEvent): string => JSON.stringify([at, item]);
  const errorsIn = (text: string): readonly unknown[] =>
    decode("a.yaml", text).problems.filter(({ severity }) => severity === "error");
  const anyStep = fc.record({
    index: fc.nat({ max: 3 }),
    seconds: fc.integer({ min: 0, max: 999 }).map((tenths) => tenths / 10),
    fault: fc.option(fc.constantFrom(...SITE_FAULTS)),
  });
  holds(
    fc.property(fc.array(anyStep, { maxLength: 6 }), (steps) => {
      let text = TEXT;
      for (const { index, seconds, fault } of steps) {
        const events = eventsOf(text);
        const at = index % Math.max(1, events.length);
        const changes: readonly ((event: TimelineEvent | undefined) => TextChange | null)[] = [
          (event) => (event === undefined ? null : withTime(event.at, seconds)),
          (event) => (event === undefined ? null : withoutItem(text, event.item)),
          () => (fault === null ? null : withFault(text, seconds, fault)),
        ];
        for (const change of changes) {
          const now = eventsOf(text);
          const made = change(now[at]);
          if (made === null) continue;
          text = applyChange(text, made);
          const read = eventsOf(text);
          const expected = eventsAfter(now, made).map(placesOf);
          // One is gone, or one is new; all others are where they are expected.
          const both = read.map(placesOf).filter((each) => expected.includes(each));
          expect(both.length).toBe(Math.min(now.length, read.length));
          expect(errorsIn(text)).toEqual([]);
        }
      }
    }),
    12,
  );
});
