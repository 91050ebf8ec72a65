// The measured costs as a table in Markdown, for docs/reference/store-costs.md.
import type { CommandCounts, MeasuredCosts } from "../../src/lab/sim/measured-costs.ts";

const listOf = (counts: CommandCounts): string =>
  Object.entries(counts)
    .map(([name, calls]) => `${calls === 1 ? "" : `${calls} `}${name.toUpperCase()}`)
    .join(", ");

const sumOf = (counts: CommandCounts): number =>
  Object.values(counts).reduce((sum, calls) => sum + calls, 0);

/** Commands inside the script, and background writes; bytes of a record and of a log of 128 and of 1,024 timestamps. */
export function tableOf({ redis, scripts, forms }: MeasuredCosts): string {
  const rows = Object.entries(forms).map(
    ([name, { commands, background, recordBytes, logBytes }]) => {
      const bytesAt = (stamps: number): string =>
        String(logBytes.find(([measured]) => measured === stamps)?.[1] ?? "");
      return [
        name,
        `${sumOf(commands.admitted)}: ${listOf(commands.admitted)}`,
        `${sumOf(commands.refused)}`,
        background === null ? "" : `${sumOf(background)}`,
        recordBytes === 0 ? "" : `${recordBytes}`,
        bytesAt(128),
        bytesAt(1_024),
      ];
    },
  );
  const heads = ["algorithm", "admitted", "refused", "background", "record B", "128 B", "1,024 B"];
  const lines = [heads, heads.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`);
  return `${lines.join("\n")}\n\nRedis ${redis}, scripts ${scripts.slice(0, 12)}`;
}
