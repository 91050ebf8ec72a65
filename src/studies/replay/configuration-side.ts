// A configuration in a document: its rules with the requests that they count, and what its file leaves open.
import { z } from "zod";
import type { RuleCount } from "./candidate-limiter.ts";
import { candidateText, kindOf, textOfRule, type Candidate } from "./candidates.ts";
import { countersOf, FLEET_BALANCERS, sharesCounters, type SharingRule } from "./fleet.ts";
import { limitInRequests } from "./rules.ts";

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
  /** Of `limit`: what counts, and its size. */
  limiter: z
    .strictObject({
      algorithm: z.string().nullable(), // null: a profile
      profile: z.string().nullable(),
      rate: z.number().min(0),
      perUs: count,
    })
    .optional(),
  rules: z
    .array(
      z.strictObject({
        rule: z.string(),
        limit: z.string(),
        rate: z.number().min(0),
        perUs: count,
        instances: count, // that count it apart
        status: count, // of a refusal
        file: z.string(),
        line: count,
        /** The statement that answers all its requests before it counts them. Left out: no single one does. */
        answeredBy: z.strictObject({ file: z.string(), line: count, text: z.string() }).optional(),
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
      sharesCounters: z.boolean(), // for all limits
      isAssumed: z.boolean(), // neither a flag nor the file has it
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
  const rules = candidate.kind === "rules" ? candidate.configuration.rules : [];
  const sharing: readonly SharingRule[] = rules.length === 0 ? [{}] : rules;
  const onFleet: ConfigurationSide["fleet"] =
    fleet === undefined || fleet.instances === 1
      ? null
      : {
          instances: fleet.instances,
          sharesCounters: sharing.every((rule) => sharesCounters(kind, fleet, rule)),
          isAssumed:
            fleet.sharesCounters === null &&
            sharing.some((rule) => rule.sharesCounters === undefined),
          balancer: fleet.balancer,
        };
  if (candidate.kind !== "rules")
    return {
      name,
      kind,
      ...limiterOf(candidate),
      rules: [],
      open: [],
      questions: [],
      fleet: onFleet,
    };
  const { statements, questions } = candidate.configuration;
  return {
    name,
    kind,
    rules: rules.map((each, rule) => ({
      rule: each.id,
      limit: textOfRule(each),
      ...limitInRequests(each),
      instances: countersOf(kind, fleet, each),
      status: each.status,
      file: each.file,
      line: each.line,
      ...(each.answeredBy === undefined ? {} : { answeredBy: each.answeredBy }),
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

function limiterOf(candidate: Candidate): Pick<ConfigurationSide, "limiter"> {
  if (candidate.kind !== "limit") return {};
  const { by, limit } = candidate;
  const isProfile = by.kind === "profile";
  return {
    limiter: {
      algorithm: isProfile ? null : by.name,
      profile: isProfile ? by.name : null,
      rate: limit.rate,
      perUs: limit.perUs,
    },
  };
}
