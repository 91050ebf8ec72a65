// The document of weir worst --config: the most that each limit of a file admits in any window.
import type { Answer } from "../../lab/report/answer.ts";
import { instancesOfSender, type Fleet } from "../replay/fleet.ts";
import { limitInRequests, type RulesCandidate } from "../replay/rules.ts";
import { worstOfRule } from "./worst-of-rule.ts";

export interface WorstOfFile {
  readonly format: "weir-worst-of-file/1";
  readonly answer: Answer;
  readonly name: string;
  readonly kind: string;
  readonly limits: readonly WorstLimit[];
}

export interface WorstLimit {
  readonly rule: string;
  readonly file: string;
  readonly line: number;
  readonly written: string;
  readonly rate: number;
  readonly perUs: number;
  readonly instances: number; // that count it apart, and that one sender reaches
  readonly most: number | null; // null: the limit is too large to search
}

export function buildWorstOfFile(
  { file, configuration }: RulesCandidate,
  fleet: Fleet | undefined,
): Omit<WorstOfFile, "answer"> {
  const { kind, rules } = configuration;
  return {
    format: "weir-worst-of-file/1",
    name: file,
    kind,
    limits: rules
      .filter(({ isDryRun }) => !isDryRun)
      .map((rule) => {
        const { rate, perUs } = limitInRequests(rule);
        const instances = instancesOfSender(kind, fleet, rule);
        const most = worstOfRule(rule, perUs);
        return {
          rule: rule.id,
          file: rule.file,
          line: rule.line,
          written: rule.written ?? `${rate}`,
          rate,
          perUs,
          instances,
          most: most === null ? null : instances * most,
        };
      }),
  };
}
