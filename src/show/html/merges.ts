// Tables of the effective limits that the policies of a key merge to.
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import type { MergesReport, MergeTableReport } from "../../lab/report/model-merges.ts";
import { html, join, NOTHING, type Html } from "./html.ts";
import { many, table } from "./parts.ts";

interface Rate {
  readonly rate: number;
  readonly perUs: number;
}

export function mergesHtml({ tables, leftOut }: MergesReport): Html {
  if (tables.length === 0) return NOTHING;
  const more =
    leftOut === 0
      ? null
      : html`<p>${many(leftOut, "more table")} like these ${leftOut === 1 ? "is" : "are"} left out.</p>`;
  return html`<details class="merges"><summary>Effective limits of a key: what its policies merge to</summary>${join(tables.map(tableHtml), "\n")}${more}</details>`;
}

function tableHtml({
  keys,
  moreKeys,
  api,
  sinceUs,
  rows,
  winner,
  retired,
}: MergeTableReport): Html {
  const owner = `${keys.length + moreKeys === 1 ? "Key" : "Keys"} ${keys.join(", ")}${moreKeys === 0 ? "" : ` and ${moreKeys} more`}`;
  const title = `${owner}, ${api === null ? "root limit" : `API ${api}`}${sinceUs === null ? "" : `, from ${formatDuration(micros(sinceUs))} on`}`;
  const won = rows[winner ?? -1]?.limit ?? null;
  const isOther = retired !== null && won !== null && !isSame(retired, won);
  return html`<h4>${title}</h4>${table(
    ["policy", "limit", "a second", ""],
    [
      ...rows.map(({ policy, from, limit }, index) => [
        policy,
        limit === null ? "none" : `${rateText(limit)}${from === "root" ? " (the root limit)" : ""}`,
        limit === null ? "" : effective(limit),
        index === winner ? html`<strong>supplies rate and per</strong>` : "",
      ]),
      [
        html`<em>for comparison: largest rate with largest per</em>`,
        retired === null ? "the same" : rateText(retired),
        retired === null ? "" : effective(retired),
        isOther
          ? html`<mark>an older merge rule, not used: it would give another limit</mark>`
          : "an older merge rule, not used: it would give the same",
      ],
    ],
    "merge",
  )}`;
}

const isSame = (a: Rate, b: Rate): boolean => a.rate === b.rate && a.perUs === b.perUs;

const rateText = ({ rate, perUs }: Rate): string =>
  rate === -1 ? "unlimited" : `${rate} per ${formatDuration(micros(perUs))}`;

const effective = ({ rate, perUs }: Rate): string =>
  rate === -1 ? "unlimited" : String(Number(((rate * SECOND) / perUs).toPrecision(6)));
