// The rules of a configuration as a section of a page.
import type { MeasuredSection } from "../../lab/report/measured.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import { thousands } from "../../kit/reading/legible.ts";
import type { ConfigurationSide } from "../../studies/replay/configuration-side.ts";
import { doubtsOfSide, fleetText } from "../../studies/replay/configuration-text.ts";
import { lineOf, tableOf } from "./words.ts";

export function sideSection(title: string, side: ConfigurationSide): MeasuredSection {
  const { kind, rules } = side;
  const column = (
    title: string,
    of: (rule: ConfigurationSide["rules"][number]) => string,
    isNumber = false,
  ): TableColumn => ({ title, cells: rules.map(of), isNumber });
  const columns = [
    column("limit", ({ limit }) => limit),
    column("rule", ({ rule }) => rule),
    column("place", ({ file, line }) => `${file}:${line}`),
    column("counted requests", ({ counted }) => thousands(counted), true),
    column("refused", ({ refused }) => thousands(refused), true),
  ];
  return {
    title: lineOf(`${title} (${kind})${fleetText(side)}`),
    notes: doubtsOfSide(side).map(lineOf),
    figures: [],
    tables: rules.length === 0 ? [] : [tableOf(columns, 3)],
  };
}
