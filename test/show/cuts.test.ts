// What would be too much to draw is countTo, and nothing goes without a word.
import { expect, test } from "vitest";
import { secondsToMicros } from "#src/kit/units.ts";
import { binsOf } from "#src/lab/report/build/bins.ts";
import { frameOf, type TimeFrame } from "#src/lab/report/build/setting.ts";
import { variantFigures } from "#src/lab/report/build/variant-figures.ts";
import type { TimeFigure } from "#src/lab/report/model-figures.ts";
import type { HistorySpan } from "#src/lab/scenario/history.ts";
import type { Json } from "#src/kit/reading/shape.ts";
import { callMade, historyOf, type HistoryText } from "../histories/history.ts";
import { configuration, variantOf } from "../histories/world.ts";

const us = secondsToMicros;
const countTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

const LASTING = countTo(60).map((at) => ({ at }));

const settingFor = (text: HistoryText): TimeFrame => {
  const history = historyOf({ rows: LASTING, ...text });
  const changed = {
    kind: "configure",
    atUs: us(50),
    configuration: configuration(),
    raw: {},
  } as const;
  return frameOf(history, [changed], binsOf(history));
};

test("of more marks than can be drawn, those of changes and calls stay, with the count of the others", () => {
  const events = countTo(7).flatMap((kind) =>
    countTo(40).map((at) => ({ event: `Event${kind}`, at: at + 2 })),
  );
  const { marks } = settingFor({ events, calls: [callMade("more for alice")] });
  expect(marks).toHaveLength(121);
  // And nothing is drawn on top of them.
  expect(marks.slice(-4, -1).map(({ what }) => what)).toEqual([
    "Event2",
    "call",
    "the configuration is changed",
  ]);
  expect(marks.at(-1)).toEqual({
    what: "and 162 more",
    atS: 2,
    text: "and 162 more from here on, not marked",
  });
});

test("more spans than can be drawn end in one with the count of the others", () => {
  const spans = countTo(45).map((at): HistorySpan => ({
    what: "fault",
    gateway: null,
    fromUs: us(at),
    toUs: us(at + 0.5),
    text: `fault ${at}`,
  }));
  const spansShown = settingFor({ spans }).spans;
  expect(spansShown).toHaveLength(41);
  expect(spansShown.at(-1)).toEqual({
    what: "and 5 more",
    fromS: 40,
    toS: 44.5,
    text: "and 5 more",
  });
});

test("of more allowances than can be distinguished the title has the count of those not drawn", () => {
  const gauges = countTo(8).flatMap((key) => [
    { at: 0, value: 2, key: `k${key}`, budget: `key/1000000us|key:k${key}` },
    { at: 3, value: 4, key: `k${key}`, budget: `key/1000000us|key:k${key}` },
  ]);
  const history = historyOf({ rows: LASTING, gauges });
  const figures = (charts: readonly Json[]): readonly TimeFigure[] =>
    variantFigures(variantOf(), history, charts).flatMap((figure) =>
      figure.kind === "time" ? [figure] : [],
    );
  const [demand, allowance] = figures([]);
  expect(demand!.title).toBe("admitted and refused");
  const cut = "(6 allowances, and 2 more that are not drawn)";
  expect([allowance!.title, allowance!.lines.length]).toEqual([`allowance ${cut}`, 6]);
  const chart = { title: "own", lines: ["gauge.allowance"], bars: [], marks: [] };
  expect(figures([chart])[0]!.title).toBe(`own ${cut}`);
});
