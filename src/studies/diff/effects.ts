// What two configurations admit at most and how they refuse: parts of the document of weir diff.
import { z } from "zod";
import { candidateText, textOfRule, type Candidate } from "../replay/candidates.ts";
import { instancesOfSender } from "../replay/fleet.ts";
import { isoTime } from "../replay/result.ts";
import { limitInRequests } from "../replay/rules.ts";
import type { DecideBoth } from "./decide-both.ts";
import type { DiffPair } from "./pair.ts";
import type { WindowMeters } from "./windows.ts";
import { worstOfRule } from "./worst-of-rule.ts";

const count = z.int().min(0);

const admitted = z.strictObject({
  mostOfClient: count,
  client: z.string().nullable(), // null: nothing is admitted
  at: z.iso.datetime().nullable(), // the end of the window of this client
  mostOfAll: count, // of all clients together
});

export const windowSchema = z.strictObject({ perUs: count, before: admitted, after: admitted });

/** The most that one budget of a limit admits in any window of it, whatever its sender does. */
export const worstSchema = z.strictObject({
  side: z.enum(["before", "after"]),
  rule: z.string(), // empty: the configuration is a limit
  limit: z.string(),
  perUs: count,
  most: count.nullable(), // null: the limit is too large to search
});

/** How refusals look to a client, in a configuration of another limiter. */
export const refusalSchema = z.strictObject({
  statuses: z.array(count).readonly(),
  headers: z.array(z.enum(["legacy", "ietf", "both", "off"])).readonly(),
});

export const overTimeSchema = z.strictObject({
  stepSeconds: count,
  startAt: z.array(z.iso.datetime()).readonly(),
  requests: z.array(count).readonly(),
  refusedBefore: z.array(count).readonly(),
  refusedAfter: z.array(count).readonly(),
});

export type DiffWindow = z.infer<typeof windowSchema>;
export type WorstRow = z.infer<typeof worstSchema>;
type Refusals = z.infer<typeof refusalSchema>;

export const buildWindows = (
  windows: readonly WindowMeters[],
  nameOf: (client: number) => string,
): readonly DiffWindow[] =>
  windows.map(({ perUs, before, after }) => {
    const sideOf = ({ ofClient, ofAll }: WindowMeters["before"]): DiffWindow["before"] => ({
      mostOfClient: ofClient.mostUnits,
      client: ofClient.mostClient < 0 ? null : nameOf(ofClient.mostClient),
      at: ofClient.mostClient < 0 ? null : isoTime(ofClient.mostAtUs),
      mostOfAll: ofAll.mostUnits,
    });
    return { perUs, before: sideOf(before), after: sideOf(after) };
  });

export const buildWorst = ({ before, after }: DiffPair): readonly WorstRow[] => [
  ...worstRows("before", before),
  ...worstRows("after", after),
];

function worstRows(side: WorstRow["side"], candidate: Candidate): readonly WorstRow[] {
  if (candidate.kind === "world") return [];
  const { fleet } = candidate;
  const times = (instances: number, most: number | null): number | null =>
    most === null ? null : instances * most;
  if (candidate.kind === "limit") {
    const { kind, limit, options } = candidate;
    const most = times(
      instancesOfSender(kind, fleet),
      worstOfRule({ id: "limit", limit, options }, limit.perUs),
    );
    return [{ side, rule: "", limit: candidateText(candidate), perUs: limit.perUs, most }];
  }
  const { kind, rules } = candidate.configuration;
  return rules
    .filter(({ isDryRun }) => !isDryRun)
    .map((rule) => {
      const { perUs } = limitInRequests(rule);
      const most = times(instancesOfSender(kind, fleet, rule), worstOfRule(rule, perUs));
      return { side, rule: rule.id, limit: textOfRule(rule), perUs, most };
    });
}

/** The rows that the other side has not. */
export function findOtherWorst(rows: readonly WorstRow[]): readonly WorstRow[] {
  const textOf = ({ rule, limit, most }: WorstRow): string => `${rule}\n${limit}\n${most}`;
  return rows.filter(
    (row) => !rows.some((other) => other.side !== row.side && textOf(other) === textOf(row)),
  );
}

/** Null: a limit or a world, which no program refuses by. */
export function refusalsOf(candidate: Candidate): Refusals | null {
  if (candidate.kind !== "rules") return null;
  const { rules } = candidate.configuration;
  return {
    statuses: [...new Set(rules.map(({ status }) => status))].toSorted((a, b) => a - b),
    headers: [...new Set(rules.map(({ options }) => options.rateLimitHeaders))].toSorted(),
  };
}

export function buildOverTime({ overTime }: DecideBoth): z.infer<typeof overTimeSchema> {
  const steps = overTime.steps();
  const series = (index: number): readonly number[] => steps.map(({ counts }) => counts[index]!);
  return {
    stepSeconds: overTime.stepUs / 1_000_000,
    startAt: steps.map(({ startUs }) => isoTime(startUs)),
    requests: series(0),
    refusedBefore: series(1),
    refusedAfter: series(2),
  };
}
