// The variants of a scenario, one below the other on one scale, with their numbers; the script sorts them by any column.
import { formatDuration, micros, SECOND } from "../../core/units.ts";
import type { ScenarioReport, VariantReport } from "../model.ts";
import { hashOf, NOWHERE } from "./address.ts";
import { html, type Html, type Insertable } from "./html.ts";
import { anchorOf, badge, formatCount, shareOf, table } from "./parts.ts";
import { sparkHtml, sparkOf } from "./sparkline.ts";

/** Values that all variants share have no column: the name identifies a variant and needs the width. */
export function variantsHtml(scenario: ScenarioReport): Html {
  const { variants } = scenario;
  const anchor = anchorOf(scenario);
  const sparks = variants.map(sparkOf);
  const top = Math.max(0, ...sparks.map((spark) => spark?.top ?? 0));
  const part = (count: number, { requests }: VariantReport): string =>
    requests === 0 ? formatCount(count) : `${formatCount(count)} (${shareOf(count, requests)})`;
  const columns: readonly (readonly [string, (variant: VariantReport) => Insertable])[] = [
    ["outcome", ({ outcome }) => badge(outcome)],
    [
      "variant",
      ({ name }) => html`<a href="${hashOf({ ...NOWHERE, anchor, variant: name })}">${name}</a>`,
    ],
    ...(top === 0
      ? []
      : [
          [
            "answers",
            (variant: VariantReport) => sparkHtml(sparks[variants.indexOf(variant)]!, top),
          ] as const,
        ]),
    ["requests", ({ requests }) => formatCount(requests)],
    ["admitted", (variant) => part(variant.admitted, variant)],
    ...(variants.some(({ delayed }) => delayed > 0)
      ? [["delayed", ({ delayed }: VariantReport) => formatCount(delayed)] as const]
      : []),
    ["refused", (variant) => part(variant.refused, variant)],
    ["rejected", (variant) => part(variant.rejected, variant)],
    [
      "most admitted",
      ({ peak }) =>
        peak === null
          ? ""
          : `${formatCount(peak.admitted)} in ${formatDuration(micros(peak.perUs))}`,
    ],
    ...(variants.some(({ driver }) => driver !== variants[0]!.driver)
      ? [["driver", ({ driver }: VariantReport) => driver] as const]
      : []),
    ...(variants.some(({ undecided }) => undecided > 0)
      ? [["undecided", ({ undecided }: VariantReport) => formatCount(undecided)] as const]
      : []),
    ["duration", ({ virtualUs }) => `${formatCount(virtualUs / SECOND)} s`],
  ];
  return table(
    columns.map(([head]) =>
      head === "answers"
        ? html`answers <small>on one scale</small>`
        : html`<button type="button" class="sort">${head}</button>`,
    ),
    variants.map((variant) => columns.map(([, cellOf]) => cellOf(variant))),
    "all",
  );
}
