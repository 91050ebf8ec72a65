import type { HistoryDelivery } from "../scenario/history.ts";
import { globMatches } from "../scenario/read/names.ts";
import type { Comparison, Measure } from "../scenario/types.ts";
import type { Json } from "../reading/shape.ts";
import { compare, exactly, formatComparison } from "./interval.ts";
import { finding, openWhereLost, vacuousIfNothing, type Finding } from "./outcome.ts";
import { isPartOf } from "./part-of.ts";
import type { Subject } from "./subject.ts";

type DeliveriesMeasure = Extract<Measure, { kind: "deliveries" }>;

/** Evidence is a row of the requests, and attempts are none: what is observed says which one is meant. */
export function checkDeliveries(measure: DeliveriesMeasure, { history }: Subject): Finding {
  const expected = inWords(measure);
  const attempts = chosen(measure, history.deliveries);
  // Where none is expected, what was examined is all that was sent instead.
  const others = measure.matches === null ? history.deliveries.length : 0;
  const examined = attempts.length > 0 ? attempts.length : others;
  const ids = new Set(attempts.map(({ delivery }) => delivery)).size;
  const wrong = attempts.find(
    (each) => measure.matches !== null && !isPartOf(measure.matches, shown(each)),
  );
  const observed = `${attempts.length} attempts of ${ids} deliveries`;
  if (wrong !== undefined)
    return finding("fail", `${observed}, one ${said(wrong)}`, expected, examined);
  const isSo = holds(measure.count, attempts.length) && holds(measure.ids, ids);
  return openWhereLost(
    vacuousIfNothing(finding(isSo ? "pass" : "fail", observed, expected, examined)),
    history,
  );
}

const holds = (wanted: Comparison | null, count: number): boolean =>
  wanted === null || compare(exactly(count), wanted) === "pass";

function chosen(
  { webhook, event, url, during, nth }: DeliveriesMeasure,
  all: readonly HistoryDelivery[],
): readonly HistoryDelivery[] {
  const passing = all
    .filter(
      (each) =>
        (webhook === null || webhook.includes(each.webhook)) &&
        (event === null || globMatches(event, each.event)) &&
        (url === null || each.url === url) &&
        (during === null || (each.sentUs >= during.fromUs && each.sentUs < during.toUs)),
    )
    .toSorted((one, other) => one.sentUs - other.sentUs);
  return nth === "all" ? passing : passing.slice(nth === "last" ? -1 : nth).slice(0, 1);
}

/** What is not there is no member. */
const shown = ({ ...attempt }: HistoryDelivery): Json =>
  Object.fromEntries(Object.entries(attempt).filter(([, value]) => value !== null));

const said = (attempt: HistoryDelivery): string => JSON.stringify(shown(attempt));

const inWords = ({ matches, count, ids }: DeliveriesMeasure): string =>
  [
    ...(count === null ? [] : [`${formatComparison(count)} attempts`]),
    ...(ids === null ? [] : [`of ${formatComparison(ids)} deliveries`]),
    ...(matches === null ? [] : [`each with ${JSON.stringify(matches)}`]),
  ].join(", ");
