// What an answer of weir replay may claim of the most that algorithms admit in any window, with formulas of its own.
import { expect } from "vitest";
import { thousands } from "#src/kit/reading/legible.ts";
import type { UnansweredReplay } from "#src/studies/replay/result.ts";

const LOOSE = /^(?:fixed_window|drl|token_bucket|sliding_window_counter)$/;

/** What overlapping requests can exceed has no bound, and others never exceed the limit. */
const boundsIn = ({ candidates }: UnansweredReplay): readonly (readonly [number, number])[] =>
  candidates.flatMap(({ algorithm, rate }) =>
    algorithm === "sentinel" || algorithm === "non_transactional"
      ? []
      : [[rate!, LOOSE.test(algorithm!) ? 2 * rate! - 1 : rate!] as const],
  );

const isPriced = (text: string, facts: UnansweredReplay): void => {
  expect(facts.cost).toBeNull();
  expect(text.includes(" of all clients together")).toBe(facts.key === "none");
};

export const PRICE_CLAIMS = {
  units: (text: string, { candidates }: UnansweredReplay): void => {
    const above = candidates.map(({ units }) => units!.aboveLimit);
    if (Math.max(...above) === 0) expect(text).toMatch(/^No client/);
    else expect(text).toContain(` ${thousands(Math.max(...above))} exceed the limit`);
  },

  price: (text: string, facts: UnansweredReplay): void => {
    isPriced(text, facts);
    const loose = boundsIn(facts).filter(([rate, most]) => most > rate);
    const claimed = [...text.matchAll(/(?:up to|and|,) (\d+) (?:at|of)/g)].map(([, most]) =>
      Number(most),
    );
    const limits = new Set(loose.map(([rate]) => rate)).size;
    expect(claimed).toHaveLength(limits > 4 ? 2 : limits);
    for (const most of claimed) expect(loose.map(([, each]) => each)).toContain(most);
  },
  kept: (text: string, facts: UnansweredReplay): void => {
    isPriced(text, facts);
    for (const [rate, most] of boundsIn(facts)) expect(most).toBe(rate);
  },
};
