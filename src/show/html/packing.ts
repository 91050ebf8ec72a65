// The report as the page's script unpacks it: without sentences that the page has as text (decision 047).
import type { Report } from "../../lab/report/model.ts";
import type { RefusedRequest } from "../../lab/report/model-refusals.ts";

/** The sentence of a later refusal differs from that of the entry's first request only in its times. */
export const withoutRepeats = (run: Report): Report => ({
  ...run,
  scenarios: run.scenarios.map((scenario) => ({
    ...scenario,
    answer: undefined,
    variants: scenario.variants.map((variant) => ({
      ...variant,
      refusals: {
        ...variant.refusals,
        entries: variant.refusals.entries.map((entry) => ({
          ...entry,
          last: entry.last === null ? null : withoutText(entry.last),
          cited: entry.cited.map(withoutText),
        })),
      },
    })),
  })),
});

const withoutText = ({ explained, ...request }: RefusedRequest): RefusedRequest => ({
  ...request,
  explained: explained === null ? null : { ...explained, text: "" },
});
