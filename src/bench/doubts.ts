// What a reader of a result has to know before believing it.
import type { Repeated } from "./result-of.ts";
import { refusedShare } from "./cells.ts";
import { refusedShareOf } from "./figures.ts";
import type { LoadFigures } from "./load/load.ts";
import { summarise } from "../stats/summary.ts";
import type { Subject } from "./subjects.ts";
import type { Suite } from "./suite.ts";

interface Played extends Repeated {
  readonly figures: LoadFigures;
}

/** Around what load and limit come to. */
const FAR = 0.2;

export function doubtsOf(
  { keyCount }: Pick<Suite, "keyCount">,
  played: readonly Played[],
  /** Somebody's gateway, which may refuse what it likes. */
  isTarget = false,
): readonly string[] {
  const bySubject = Map.groupBy(played, ({ subject }) => subject);
  return [...bySubject].flatMap(([subject, all]) => [
    ...errorsIn(subject, all),
    ...(isTarget ? [] : refusalsIn(subject, all, keyCount)),
    ...overrunsIn(subject, all),
  ]);
}

function errorsIn({ name }: Subject, all: readonly Played[]): readonly string[] {
  const errors = sum(all, ({ repeat }) => repeat.errors);
  if (errors === 0) return [];
  return [`${name}: ${errors} errors (${whatFailed(all.map(({ figures }) => figures))})`];
}

export function whatFailed(all: readonly LoadFigures[]): string {
  const unanswered = sum(all, (figures) => figures.unanswered);
  const statuses = new Map<string, number>();
  for (const figures of all)
    for (const [status, count] of Object.entries(figures.statuses))
      if (!/^(?:2..|429)$/.test(status)) statuses.set(status, (statuses.get(status) ?? 0) + count);
  return [
    ...(unanswered === 0 ? [] : [`${unanswered} without an answer`]),
    ...[...statuses].map(([status, count]) => `${count} with ${status}`),
  ].join(", ");
}

function refusalsIn(
  { name, factors }: Subject,
  all: readonly Played[],
  keyCount: number,
): readonly string[] {
  const answered = all.filter(({ figures }) => figures.answers > 0);
  if (answered.length === 0) return [];
  const wanted = factors === null ? 0 : refusedShare(factors, keyCount);
  if (wanted === 0 && (factors === null || factors.demand < 1)) {
    const refused = sum(answered, ({ figures }) => refusedShareOf(figures) * figures.answers);
    const share = refused / sum(answered, ({ figures }) => figures.answers);
    return share === 0
      ? []
      : [`${name}: ${percent(share)} were refused, although no limit is meant to be reached`];
  }
  // As the table shows it: a repeat in which the machine was slow would make up for the others.
  const { median } = summarise(answered.map(({ figures }) => refusedShareOf(figures)));
  if (factors === null || factors.demand <= 1) return [];
  // A refusal takes less time than an answer from the upstream, and a closed loop asks again at once: there more is
  // refused than meant, and the faster the gateway refuses, the more.
  const isMore = factors.load_model !== "closed" && median - wanted > FAR;
  return isMore || wanted - median > FAR
    ? [`${name}: ${percent(median)} were refused, where about ${percent(wanted)} are meant to be`]
    : [];
}

function overrunsIn({ name }: Subject, all: readonly Played[]): readonly string[] {
  const reasons = all.flatMap(({ figures }) => figures.sending?.overran ?? []);
  const [first] = reasons;
  return first === undefined
    ? []
    : [`${name}: the sender overran in ${reasons.length} of ${all.length} repeats: ${first}`];
}

const sum = <T>(all: readonly T[], of: (each: T) => number): number =>
  all.reduce((total, each) => total + of(each), 0);

const percent = (share: number): string =>
  `${(share * 100).toFixed(share > 0 && share < 0.1 ? 2 : 0)} %`;
