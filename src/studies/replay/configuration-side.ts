// A configuration in a document: its rules with the requests that they count, and what its file leaves open.
import { z } from "zod";
import type { RuleCount } from "./candidate-limiter.ts";
import { candidateText, kindOf, limitText, type Candidate } from "./candidates.ts";
import { FLEET_BALANCERS, sharesCounters } from "./fleet.ts";
import { limitForPeople } from "./rules.ts";

const count = z.int().min(0);

const statement = z.strictObject({
  file: z.string(),
  line: count,
  text: z.string(),
  consequence: z.string(),
});

export const configurationSide = z.strictObject({
  name: z.string(), // the file, or the limit
  kind: z.string(), // the implementation, `world` or `limit`
  rules: z
    .array(
      z.strictObject({
        rule: z.string(),
        limit: z.string(),
        rate: z.number().min(0),
        perUs: count,
        status: count, // of a refusal
        file: z.string(),
        line: count,
        counted: count, // requests of the logs that the rule counts
        refused: count,
      }),
    )
    .readonly(),
  /** Statements that may change a limit and are not understood, so that the result may be wrong. */
  open: z.array(statement).readonly(),
  /** Variables whose values only production has, with the value that was taken. */
  questions: z
    .array(z.strictObject({ name: z.string(), value: z.string(), isSet: z.boolean() }))
    .readonly(),
  /** The instances that it runs on; null: one. */
  fleet: z
    .strictObject({
      instances: count,
      sharesCounters: z.boolean(),
      isAssumed: z.boolean(), // no flag has whether counters are shared
      balancer: z.enum(FLEET_BALANCERS),
    })
    .nullable(),
});

export type ConfigurationSide = z.infer<typeof configurationSide>;

/** `counts` has a row for each rule; null: no request was decided. */
export function sideOf(candidate: Candidate, counts: readonly RuleCount[]): ConfigurationSide {
  const name = candidateText(candidate);
  const kind = kindOf(candidate);
  const { fleet } = candidate;
  const onFleet: ConfigurationSide["fleet"] =
    fleet === undefined || fleet.instances === 1
      ? null
      : {
          instances: fleet.instances,
          sharesCounters: sharesCounters(kind, fleet),
          isAssumed: fleet.sharesCounters === null,
          balancer: fleet.balancer,
        };
  if (candidate.kind !== "rules")
    return { name, kind, rules: [], open: [], questions: [], fleet: onFleet };
  const { rules, statements, questions } = candidate.configuration;
  return {
    name,
    kind,
    rules: rules.map(({ id, limit, written, status, file, line }, rule) => ({
      rule: id,
      limit: written ?? limitText(limit),
      ...limitForPeople({ limit }),
      status,
      file,
      line,
      ...counts[rule]!,
    })),
    open: statements.flatMap(({ role, file, line, text, consequence }) =>
      role === "not understood" ? [{ file, line, text, consequence }] : [],
    ),
    questions: questions.map((each) => ({
      name: each.name,
      value: each.value,
      isSet: each.isSet,
    })),
    fleet: onFleet,
  };
}
