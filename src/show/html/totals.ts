// The results of requests in one line, a list of rejected requests by cause (LIM-C16), and a list of lost requests
// (LIM-C18).
import { formatDuration, micros } from "../../kit/units.ts";
import { lossText } from "../result-text.ts";
import type { ScenarioReport, VariantReport } from "../../lab/report/model.ts";
import { html, NOTHING, type Html } from "./html.ts";
import { countWithShare, formatCount, many, shareOf } from "./parts.ts";

type Totals = Pick<
  VariantReport,
  "requests" | "admitted" | "delayed" | "refused" | "rejected" | "lost" | "rejections" | "peak"
>;

const totalsText = ({
  requests,
  admitted,
  delayed,
  refused,
  rejected,
  lost,
  rejections,
  peak,
}: Totals): string => {
  const part = (count: number): string => countWithShare(count, requests);
  return [
    `${many(requests, "request")} offered`,
    `${part(admitted)} admitted${delayed === 0 ? "" : `, of them ${countWithShare(delayed, admitted)} delayed`}`,
    `${part(refused)} refused`,
    ...(rejected === 0 ? [] : [`${part(rejected)} rejected: ${byStatus(rejections)}`]),
    ...(lost === 0 ? [] : [`${part(lost)} lost`]),
    ...(peak === null ? [] : [peakText(peak)]),
  ].join(", ");
};

/** Counts by status, in words. A single status has no share, because its share is 100 %. */
function byStatus(rejections: Totals["rejections"]): string {
  const all = Object.values(rejections).reduce((sum, count) => sum + count, 0);
  return Object.entries(rejections)
    .map(([status, count]) => timesStatus(count, all, status))
    .join(", ");
}

const timesStatus = (count: number, of: number, status: number | string): string =>
  `${formatCount(count)} × ${status}${count === of ? "" : ` (${shareOf(count, of)})`}`;

const peakText = ({ admitted, perUs }: NonNullable<Totals["peak"]>): string =>
  `at most ${formatCount(admitted)} admitted in any ${formatDuration(micros(perUs))}`;

export const totalsHtml = (variant: VariantReport): Html =>
  variant.outcome === "unsupported" ? NOTHING : html`<p class="totals">${totalsText(variant)}</p>`;

/** The totals over all variants, if there are several. Peaks of different variants cannot be added. */
export function totalsOfAllHtml({ variants }: ScenarioReport): Html {
  const played = variants.filter(({ outcome }) => outcome !== "unsupported");
  if (variants.length < 2 || played.length === 0) return NOTHING;
  const rejections: Record<string, number> = {};
  for (const [status, count] of played.flatMap((each) => Object.entries(each.rejections)))
    rejections[status] = (rejections[status] ?? 0) + count;
  const sum = (
    name: "requests" | "admitted" | "delayed" | "refused" | "rejected" | "lost",
  ): number => played.reduce((total, variant) => total + variant[name], 0);
  const totals = {
    requests: sum("requests"),
    admitted: sum("admitted"),
    delayed: sum("delayed"),
    refused: sum("refused"),
    rejected: sum("rejected"),
    lost: sum("lost"),
    rejections,
    peak: null,
  };
  return html`<p class="totals">All ${many(played.length, "variant")} together: ${totalsText(totals)}</p>`;
}

/** Lists the rejections, one line for each cause. */
export function rejectionsHtml({ rejected, rejectionCauses }: VariantReport): Html {
  if (rejected === 0) return NOTHING;
  const listed = rejectionCauses.reduce((sum, { count }) => sum + count, 0);
  const items = rejectionCauses.map(({ status, cause, count, first }) => {
    const where = first === null ? "" : `, first ${first}`;
    return html`<li><span class="status">${timesStatus(count, rejected, status)}</span> ${cause}${where}</li>`;
  });
  const more = rejected - listed;
  if (more > 0) items.push(html`<li>and ${many(more, "more request")}, for other reasons</li>`);
  return html`<details class="rejections"><summary>${many(rejected, "rejection")}, before any limit: reasons</summary><ul>${items}</ul></details>`;
}

/** Lists the lost requests: one line for each reason, with the time of the requests. */
export function lossesHtml({ lost, requests, losses }: VariantReport): Html {
  if (lost === 0) return NOTHING;
  const items = losses.map((loss) => html`<li>${lossText(loss, requests)}</li>`);
  return html`<details class="rejections" open><summary>${many(lost, "request")} lost, without a response: reasons</summary><ul>${items}</ul></details>`;
}
