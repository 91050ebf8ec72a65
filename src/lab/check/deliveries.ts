import { many } from "../../kit/reading/legible.ts";
import type { HistoryDelivery } from "../scenario/history.ts";
import { globMatches } from "../scenario/read/names.ts";
import type { Comparison, Measure } from "../scenario/types.ts";
import type { Json } from "../../kit/reading/shape.ts";
import { compare, exactly, formatComparison } from "./interval.ts";
import { finding, vacuousIfNothing, type Finding } from "./outcome.ts";
import { isPartOf } from "./part-of.ts";
import type { CheckSubject } from "./subject.ts";

type DeliveriesMeasure = Extract<Measure, { kind: "deliveries" }>;

/** A delivery attempt has no row among the requests, so the finding has no evidence: `observed` has the attempt. */
export function checkDeliveries(measure: DeliveriesMeasure, { history }: CheckSubject): Finding {
  const expected = inWords(measure);
  const attempts = selectAttempts(measure, history.deliveries);
  // If no delivery is expected, the expectation examines all other deliveries.
  const others = measure.matches === null ? history.deliveries.length : 0;
  const examined = attempts.length > 0 ? attempts.length : others;
  const ids = new Set(attempts.map(({ delivery }) => delivery)).size;
  const wrong = attempts.find(
    (each) => measure.matches !== null && !isPartOf(measure.matches, toJson(each)),
  );
  const observed = `${many(attempts.length, "attempt")} of ${many(ids, "delivery", "deliveries")}`;
  if (wrong !== undefined)
    return finding("fail", `${observed}, one ${formatAttempt(wrong)}`, expected, examined);
  const isMet = holds(measure.count, attempts.length) && holds(measure.ids, ids);
  return vacuousIfNothing(finding(isMet ? "pass" : "fail", observed, expected, examined));
}

const holds = (wanted: Comparison | null, count: number): boolean =>
  wanted === null || compare(exactly(count), wanted) === "pass";

function selectAttempts(
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

/** Fields that are null are left out. */
const toJson = ({ ...attempt }: HistoryDelivery): Json =>
  Object.fromEntries(Object.entries(attempt).filter(([, value]) => value !== null));

const formatAttempt = (attempt: HistoryDelivery): string => JSON.stringify(toJson(attempt));

const inWords = ({ matches, count, ids }: DeliveriesMeasure): string =>
  [
    ...(count === null ? [] : [`${formatComparison(count)} attempts`]),
    ...(ids === null ? [] : [`of ${formatComparison(ids)} deliveries`]),
    ...(matches === null ? [] : [`each with ${JSON.stringify(matches)}`]),
  ].join(", ");
