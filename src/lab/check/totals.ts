// The numbers of admitted, delayed, refused, rejected and lost requests of one variant.
import { micros } from "../../kit/units.ts";
import type { History } from "../scenario/history.ts";
import type { LostRequests, Peak, Totals } from "../scenario/verdict.ts";
import { answerTo, groupLosses } from "./rejections.ts";
import { requestLabeller } from "./request-names.ts";
import { wasDelayed } from "./select.ts";

export function totalsOf(history: History): Totals {
  const { requests } = history;
  const counts = { admitted: 0, delayed: 0, refused: 0, rejected: 0, lost: 0 };
  const rejections = new Map<number, number>();
  for (let row = 0; row < requests.length; row++) {
    const answer = answerTo(requests, row);
    counts[answer]++;
    if (wasDelayed(requests, row) && answer === "admitted") counts.delayed++;
    if (answer !== "rejected") continue;
    const status = requests.status[row]!;
    rejections.set(status, (rejections.get(status) ?? 0) + 1);
  }
  return {
    requests: requests.length,
    ...counts,
    losses: counts.lost === 0 ? [] : lossesOf(history),
    rejections: Object.fromEntries(rejections), // numeric keys are sorted, so the statuses are sorted
    peak: peakOf(history, counts.admitted),
  };
}

function lossesOf(history: History): readonly LostRequests[] {
  const called = requestLabeller(history);
  const { sentUs } = history.requests;
  return groupLosses(history).map(({ cause, rows }) => ({
    cause,
    requests: rows.length,
    first: called(rows[0]),
    fromUs: micros(rows.reduce((least, row) => Math.min(least, sentUs[row]!), sentUs[rows[0]]!)),
    toUs: micros(rows.reduce((most, row) => Math.max(most, sentUs[row]!), 0)),
  }));
}

/**
 * The most requests of all keys that were admitted in any window, as an upstream receives them. The window has the
 * length of the limit that decided most requests. Null if no rate limit decided anything.
 */
function peakOf({ header, requests }: History, admitted: number): Peak | null {
  const perUs = commonWindow({ header, requests });
  if (perUs === null) return null;
  const times = new Float64Array(admitted);
  let length = 0;
  for (let row = 0; row < requests.length; row++)
    if (answerTo(requests, row) === "admitted")
      times[length++] = requests.toUs[row]! + requests.delayUs[row]!;
  times.sort();
  let most = 0;
  for (let end = 0, start = 0; end < length; end++) {
    while (times[start]! <= times[end]! - perUs) start++;
    most = Math.max(most, end - start + 1);
  }
  return { admitted: most, perUs: micros(perUs) };
}

function commonWindow({ header, requests }: Pick<History, "header" | "requests">): number | null {
  const decidedByWindow = new Map<number, number>();
  for (const index of requests.budget) {
    const budget = header.budgets[index];
    if (budget === undefined || budget.scope.startsWith("quota")) continue;
    decidedByWindow.set(budget.perUs, (decidedByWindow.get(budget.perUs) ?? 0) + 1);
  }
  const [first] = [...decidedByWindow].toSorted(
    ([a, count], [b, otherCount]) => otherCount - count || a - b,
  );
  return first?.[0] ?? null;
}
