// Shows failing variants on one screen: details of the first ones, then only the names of the other scenarios.
import { many, oneLine, type Paint } from "../kit/reading/legible.ts";
import { failureText } from "../show/result-text.ts";
import type { Result } from "../lab/scenario/verdict.ts";
import { wrap } from "../kit/reading/table.ts";

const MOST_NAME_LINES = 2;

/**
 * Shows all variants if they fit into `room` lines. Otherwise shows one variant of each scenario first, because causes
 * differ more between scenarios than between variants of one scenario.
 */
export function failureLines(
  bad: readonly Result[],
  room: number,
  paint: Paint,
): readonly string[] {
  const whole = bad.flatMap((result) => ["", ...failureText(result, paint)]);
  if (whole.length <= room) return whole;
  const scenarios = [...Map.groupBy(bad, ({ file }) => file).values()];
  const firsts = scenarios.map(([first]) => first!);
  const blocks = new Map<Result, readonly string[]>();
  let lines = 0;
  for (const result of [...firsts, ...bad.filter((each) => !firsts.includes(each))]) {
    const block = ["", ...failureText(result, paint, { isShort: true })];
    if (blocks.size > 0 && lines + block.length > room) break;
    lines += block.length;
    blocks.set(result, block);
  }
  const left = bad.filter((result) => !blocks.has(result));
  return [...bad.flatMap((result) => blocks.get(result) ?? []), ...namesOf(left)];
}

function namesOf(left: readonly Result[]): readonly string[] {
  if (left.length === 0) return [];
  const counts = Map.groupBy(left, ({ scenario }) => scenario);
  const names = [...counts].map(([scenario, each]) => `${oneLine(scenario)} (${each.length})`);
  const lines = wrap(names.join(", "), 86);
  const cut = lines.slice(0, MOST_NAME_LINES).map((line) => `  ${line}`);
  return [
    "",
    `${many(left.length, "more variant")} ${left.length === 1 ? "does" : "do"} not pass; --verbose shows ${left.length === 1 ? "it" : "each"}:`,
    ...cut,
    ...(lines.length > MOST_NAME_LINES ? [`  ... ${many(counts.size, "scenario")} in all`] : []),
  ];
}
