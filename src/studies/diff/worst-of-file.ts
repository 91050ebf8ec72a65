// The document of weir worst --config: the most that each limit of a file admits in any window.
import type { Answer } from "../../lab/report/answer.ts";
import { countersOf, type Fleet } from "../replay/fleet.ts";
import { limitForPeople, type RulesCandidate } from "../replay/rules.ts";
import { worstOfRule } from "./worst-of-rule.ts";

export interface WorstOfFile {
  readonly format: "weir-worst-of-file/1";
  readonly answer: Answer;
  readonly name: string;
  readonly kind: string;
  readonly instances: number; // that count apart, and that one sender reaches
  readonly limits: readonly WorstLimit[];
}

export interface WorstLimit {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly written: string;
  readonly rate: number;
  readonly perUs: number;
  readonly most: number | null; // null: the limit is too large to search
}

export function buildWorstOfFile(
  { file, configuration }: RulesCandidate,
  fleet: Fleet | undefined,
): Omit<WorstOfFile, "answer"> {
  const { kind, rules } = configuration;
  const instances = fleet?.balancer === "sticky" ? 1 : countersOf(kind, fleet);
  return {
    format: "weir-worst-of-file/1",
    name: file,
    kind,
    instances,
    limits: rules
      .filter(({ isDryRun }) => !isDryRun)
      .map((rule) => {
        const { rate, perUs } = limitForPeople(rule);
        const most = worstOfRule(rule, perUs);
        return {
          rule: rule.id,
          file: rule.file,
          line: rule.line,
          written: rule.written ?? `${rate}`,
          rate,
          perUs,
          most: most === null ? null : instances * most,
        };
      }),
  };
}
