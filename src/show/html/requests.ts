// The results of a run's requests: one bar, and lists of the reasons for refusals and rejections.
import { SECOND } from "../../kit/units.ts";
import type { Report, VariantReport } from "../../lab/report/model.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { formatCount, many, shareOf } from "./parts.ts";
import { SCOPES } from "./words.ts";

const MOST_REASONS = 4;

interface Part {
  readonly what: "admitted" | "refused" | "rejected" | "lost";
  readonly count: number;
  readonly reasons: ReadonlyMap<string, number>;
}

export function requestsHtml({ scenarios }: Report): Html {
  const variants = scenarios
    .flatMap((scenario) => scenario.variants)
    .filter(({ requests }) => requests > 0);
  const sum = (of: (variant: VariantReport) => number): number =>
    variants.reduce((total, variant) => total + of(variant), 0);
  const offered = sum(({ requests }) => requests);
  if (offered === 0) return NOTHING;
  const delayed = sum((variant) => variant.delayed);
  const lost = sum((variant) => variant.lost);
  const parts: readonly Part[] = [
    {
      what: "admitted",
      count: sum(({ admitted }) => admitted),
      reasons: new Map(delayed === 0 ? [] : [["after a wait in the queue", delayed]]),
    },
    { what: "refused", count: sum(({ refused }) => refused), reasons: refusalReasons(variants) },
    {
      what: "rejected",
      count: sum(({ rejected }) => rejected),
      reasons: rejectionReasons(variants),
    },
    ...(lost === 0
      ? []
      : [
          {
            what: "lost" as const,
            count: lost,
            reasons: addUp(
              variants.flatMap(({ losses }) =>
                losses.map(({ cause, requests }) => [cause, requests] as const),
              ),
            ),
          },
        ]),
  ];
  const shown = parts.filter(({ count }) => count > 0);
  const words = shown.map(({ what, count }) => `${shareOf(count, offered)} ${what}`).join(", ");
  return html`<section class="requests" aria-label="Requests"><div class="bar" role="img" aria-label="${words}">${shown.map(
    ({ what, count }) =>
      html`<i class="${what}" style="flex-grow:${count}" title="${formatCount(count)} ${what}"></i>`,
  )}</div>
<div class="tiles"><div><h2>Offered</h2><p><b>${formatCount(offered)}</b> ${offered === 1 ? "request" : "requests"}</p><p class="soft">${timeText(sum(({ virtualUs }) => virtualUs))} of traffic</p></div>
${parts.map((part) => tileHtml(part, offered))}</div></section>`;
}

const tileHtml = ({ what, count, reasons }: Part, offered: number): Html => {
  const listed = [...reasons].toSorted(([, a], [, b]) => b - a);
  const rest = listed.slice(MOST_REASONS).reduce((sum, [, each]) => sum + each, 0);
  return html`<div><h2><i class="${what}" aria-hidden="true"></i>${what.replace(/^./, (letter) => letter.toUpperCase())}</h2><p><b>${formatCount(count)}</b> ${shareOf(count, offered)}</p>${
    listed.length === 0
      ? null
      : html`<ul>${listed
          .slice(0, MOST_REASONS)
          .map(
            ([reason, each]) =>
              html`<li>${formatCount(each)} <span class="soft">(${shareOf(each, count)})</span> ${reason}</li>`,
          )}${rest === 0 ? null : html`<li>${formatCount(rest)} <span class="soft">(${shareOf(rest, count)})</span> for other reasons</li>`}</ul>`
  }</div>`;
};

/** Counts refusals by the scope of the refusing budget and the status. Unlisted refusals have no scope. */
function refusalReasons(variants: readonly VariantReport[]): ReadonlyMap<string, number> {
  return addUp(
    variants.flatMap(({ refused, refusals: { budgets, entries } }) => {
      const known = entries.map(({ status, budget, count }): readonly [string, number] => {
        const scope = budget === null ? undefined : budgets[budget]?.scope;
        return [
          `${(scope && (SCOPES[scope] ?? scope)) ?? "a budget that is not known"}, ${status}`,
          count,
        ];
      });
      const left = refused - known.reduce((sum, [, count]) => sum + count, 0);
      return left > 0 ? [...known, ["not listed one by one", left] as const] : known;
    }),
  );
}

const STATUSES: Readonly<Record<string, string>> = {
  400: "a request that is not valid",
  401: "no valid credential",
  403: "no access",
  404: "no such API or endpoint",
  413: "a body that is too large",
  431: "headers that are too large",
  503: "the store or the upstream was unreachable",
};

/** Rejections by cause; by status if there are many causes. A suite has many, because causes name keys and APIs. */
function rejectionReasons(variants: readonly VariantReport[]): ReadonlyMap<string, number> {
  const causes = addUp(
    variants.flatMap(({ rejectionCauses }) =>
      rejectionCauses.map(({ status, cause, count }) => [`${cause}, ${status}`, count] as const),
    ),
  );
  if (causes.size <= MOST_REASONS) return causes;
  return addUp(
    variants.flatMap(({ rejections }) =>
      Object.entries(rejections).map(([status, count]): readonly [string, number] => [
        STATUSES[status] === undefined ? status : `${STATUSES[status]}, ${status}`,
        count,
      ]),
    ),
  );
}

function addUp(pairs: readonly (readonly [string, number])[]): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [name, count] of pairs) sums.set(name, (sums.get(name) ?? 0) + count);
  return sums;
}

const MINUTE_S = 60;
const HOUR_S = 60 * MINUTE_S;

function timeText(us: number): string {
  const seconds = us / SECOND;
  if (seconds >= 2 * HOUR_S) return many(Math.round(seconds / HOUR_S), "hour");
  if (seconds >= 2 * MINUTE_S) return many(Math.round(seconds / MINUTE_S), "minute");
  return `${Number(seconds.toPrecision(3))} s`;
}
