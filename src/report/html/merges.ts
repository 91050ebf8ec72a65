// What several policies of a key come to, as a table each.
import { formatDuration, micros, SECOND } from "../../core/units.ts";
import type { MergesReport, MergeTableReport } from "../model-merges.ts";
import { escaped } from "./escaped.ts";
import { many, table } from "./parts.ts";

interface Rate {
  readonly rate: number;
  readonly perUs: number;
}

export function mergesHtml({ tables, leftOut }: MergesReport): string {
  if (tables.length === 0) return "";
  const more =
    leftOut === 0
      ? ""
      : `<p>${many(leftOut, "more table")} like these ${leftOut === 1 ? "is" : "are"} left out.</p>`;
  return `<details class="merges"><summary>Effective limits of a key: what its policies merge to</summary>${tables.map(tableHtml).join("\n")}${more}</details>`;
}

function tableHtml({
  keys,
  moreKeys,
  api,
  sinceUs,
  rows,
  winner,
  retired,
}: MergeTableReport): string {
  const whose = `${keys.length + moreKeys === 1 ? "Key" : "Keys"} ${keys.join(", ")}${moreKeys === 0 ? "" : ` and ${moreKeys} more`}`;
  const title = `${whose}, ${api === null ? "root limit" : `API ${api}`}${sinceUs === null ? "" : `, from ${formatDuration(micros(sinceUs))} on`}`;
  const won = rows[winner ?? -1]?.limit ?? null;
  const isOther = retired !== null && won !== null && !isSame(retired, won);
  return `<h4>${escaped(title)}</h4>${table(
    ["policy", "limit", "a second", ""],
    [
      ...rows.map(({ policy, from, limit }, index) => [
        escaped(policy),
        limit === null ? "none" : `${rateText(limit)}${from === "root" ? " (the root limit)" : ""}`,
        limit === null ? "" : effective(limit),
        index === winner ? "<strong>supplies rate and per</strong>" : "",
      ]),
      [
        "<em>for comparison: largest rate with largest per</em>",
        retired === null ? "the same" : rateText(retired),
        retired === null ? "" : effective(retired),
        isOther
          ? "<mark>an older merge rule, not used: it would give another limit</mark>"
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
