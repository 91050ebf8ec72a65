// The result of weir identify, as a document and as text.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import { formatDuration, micros } from "../../kit/units.ts";
import { many, oneLine, type Paint } from "../../kit/reading/legible.ts";
import { compareAnnounced, type AnnouncedFindings } from "./announced.ts";
import { algorithmsOf, BEHAVIOURS, classOf, isComposed, type LimitBehaviour } from "./behaviour.ts";
import { numbersText, titleOf } from "./behaviour-text.ts";
import { ASPECTS, type CountedByFindings } from "./counted-by.ts";
import { profilesOf } from "./behaviour-of.ts";
import type { Identification } from "./identify.ts";
import {
  SPECIAL_NAMES,
  SPECIAL_TITLES,
  specialNumbersText,
  type SpecialBehaviour,
} from "./special.ts";
import { selfCheckResult } from "./self-check-text.ts";
import { countOf } from "./target.ts";

const IDENTIFY_FORMAT = "weir-identify/1";

const count = z.int().min(0);

const behaviourFacts = z.strictObject({
  behaviour: z.enum([...Object.keys(BEHAVIOURS), ...SPECIAL_NAMES] as [string, ...string[]]),
  title: z.string(),
  algorithms: z.array(z.string()).readonly(),
  numbers: z.string(),
  capacity: count,
  spanUs: count,
  /** Bounds of the measured span; null: it is a single round number. */
  rangeUs: z.tuple([count, count]).readonly().nullable(),
  /** A second limit that applies together with the first. */
  second: z.strictObject({ capacity: count, spanUs: count }).nullable(),
  /** A refusal starts a pause: all requests are refused for this long. */
  pauseUs: count.nullable(),
  /** The share of requests that is refused at random. */
  share: z.number().min(0).max(1).nullable(),
  /** When windows begin; null: there are no windows. */
  windowsBegin: z.string().nullable(),
  /** Which requests use up the limit; null: nothing shows whether refused requests do. */
  counts: z.string().nullable(),
  /** The steps of the limiter's clock; null: no response shows steps. */
  clock: z.string().nullable(),
  /** Profiles of other limiters with the same behaviour. */
  profiles: z.array(z.string()).readonly(),
});

type BehaviourFacts = z.infer<typeof behaviourFacts>;

const comparison = z.strictObject({ present: count, compared: count, untrue: count });
const aspect = z.boolean().nullable();

const identifyResult = z.strictObject({
  format: z.literal(IDENTIFY_FORMAT),
  answer: answerSchema,
  target: z.string(),
  seed: z.int(),
  isNamed: z.boolean(),
  identified: behaviourFacts.nullable(),
  /** Behaviours that differ from the identified one only in a detail, which could not be seen. */
  alike: z.array(behaviourFacts).readonly(),
  /** Why no behaviour is named; empty if one is named. */
  why: z.string(),
  /** What the first requests showed, even if no behaviour is named. */
  seen: z.string(),
  /** The file that has what was sent and admitted, as a scenario; null: there is none. */
  saved: z.string().nullable(),
  left: z.array(behaviourFacts).readonly(),
  /** If no known behaviour fits: those whose decisions differ from the fewest responses. */
  closest: z.array(behaviourFacts.extend({ differing: count, compared: count })).readonly(),
  countedBy: z.strictObject({ credential: aspect, address: aspect, path: aspect }),
  announced: z
    .strictObject({
      refusals: count,
      waits: count,
      comparedWaits: count,
      tooShort: count,
      tooLong: count,
      limits: z.array(z.number()).readonly(),
      remaining: comparison,
      reset: comparison,
    })
    .nullable(),
  resolutionUs: count,
  /** How late nine in ten requests were sent at most; some milliseconds or more: the machine was too busy. */
  lateUs: count,
  requests: count,
  seconds: z.number().min(0),
  steps: z
    .array(
      z.strictObject({
        title: z.string(),
        suspects: count,
        groups: z
          .array(
            z.strictObject({
              sentMs: z.int(),
              count,
              admitted: count,
              refused: count,
              lost: count,
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
});

type IdentifyResult = z.infer<typeof identifyResult>;
export type UnansweredIdentify = Omit<IdentifyResult, "answer">;
export type IdentifiedBehaviour = BehaviourFacts;

/** The JSON Schemas of both documents of the command. */
export const identifySchema = (): unknown =>
  z.toJSONSchema(z.union([identifyResult, selfCheckResult]));

const factsOf = (behaviour: LimitBehaviour): BehaviourFacts => ({
  behaviour: behaviour.name,
  title: titleOf(behaviour),
  algorithms: isComposed(behaviour) ? [] : algorithmsOf(behaviour),
  numbers: numbersText(behaviour),
  capacity: behaviour.capacity,
  spanUs: Math.round(behaviour.spanUs),
  rangeUs: wholeRange(behaviour.rangeUs),
  second:
    behaviour.second === undefined
      ? null
      : {
          capacity: behaviour.second.capacity,
          spanUs: Math.round(behaviour.second.spanUs),
        },
  pauseUs: behaviour.pauseUs === undefined ? null : Math.round(behaviour.pauseUs),
  share: null,
  windowsBegin: classOf(behaviour).windows,
  counts: classOf(behaviour).counts,
  clock: classOf(behaviour).clock,
  profiles: profilesOf(behaviour),
});

const wholeRange = (range: LimitBehaviour["rangeUs"]): BehaviourFacts["rangeUs"] =>
  range === undefined ? null : [Math.round(range[0]), Math.round(range[1])];

const NOTHING_COUNTS = {
  algorithms: [],
  spanUs: 0,
  rangeUs: null,
  second: null,
  pauseUs: null,
  windowsBegin: null,
  counts: null,
  clock: null,
  profiles: [],
} as const;

function factsOfSpecial(special: SpecialBehaviour): BehaviourFacts {
  const title = SPECIAL_TITLES[special.kind];
  const numbers = specialNumbersText(special);
  const [capacity, share] = special.kind === "chance" ? [0, special.share] : [special.most, null];
  return { ...NOTHING_COUNTS, behaviour: special.kind, title, numbers, capacity, share };
}

export function buildIdentifyResult(
  target: string,
  seed: number,
  found: Identification,
  saved: string | null,
): UnansweredIdentify {
  const {
    behaviour,
    special,
    alike,
    left,
    closest,
    why,
    seen,
    countedBy,
    steps,
    timing,
    requests,
    durationUs,
  } = found;
  const startUs = steps[0]?.groups[0]?.responses[0]?.sentUs ?? 0;
  return {
    format: IDENTIFY_FORMAT,
    target,
    seed,
    isNamed: behaviour !== null || special !== null,
    identified:
      special !== null ? factsOfSpecial(special) : behaviour === null ? null : factsOf(behaviour),
    alike: alike.map(factsOf),
    why,
    seen,
    saved,
    left: behaviour === null ? left.map(factsOf) : [],
    closest: closest.map((each) => ({
      ...factsOf(each.behaviour),
      differing: each.differing,
      compared: requests,
    })),
    countedBy,
    announced: behaviour === null ? null : compareAnnounced(steps, behaviour, timing),
    resolutionUs: Math.round(timing.tripUs),
    lateUs: Math.round(timing.lateUs),
    requests,
    seconds: Math.round(durationUs / 100_000) / 10,
    steps: steps.map(({ title, suspects, groups }) => ({
      title,
      suspects,
      groups: groups.map((group) => ({
        sentMs: Math.round((Math.max(group.atUs, startUs) - startUs) / 1_000),
        count: group.count,
        admitted: countOf(group, "admitted"),
        refused: countOf(group, "refused"),
        lost: countOf(group, "lost") + countOf(group, "other"),
      })),
    })),
  };
}

export function identifyText(result: UnansweredIdentify, paint: Paint): readonly string[] {
  const { identified, left, closest, seen, requests, seconds, steps, target } = result;
  const cost = `${many(requests, "request")} in ${seconds} s, ${many(steps.length, "experiment")}`;
  if (identified === null)
    return [
      `${paint("doubtful", left.length === 1 ? "unconfirmed" : "undecided")} ${oneLine(target)}`,
      ...(seen === "" ? [] : [`  seen         ${seen}`]),
      ...left.map(({ title, numbers }) => `  possible     ${title}: ${numbers}`),
      ...closest.map(
        ({ title, numbers, differing, compared }) =>
          `  closest      ${title}: ${numbers}; differs in ${differing} of ${compared} responses`,
      ),
      `  evidence     ${cost}`,
    ];
  const { announced } = result;
  // Random refusals and limits of requests in flight have no windows.
  const isSpecial = SPECIAL_NAMES.includes(identified.behaviour);
  const rows = [
    ["algorithm", identified.algorithms.join(" or ") || "none of Weir's"],
    ...result.alike.map(({ title }) => ["or", title]),
    ["limit", identified.numbers],
    ...(isSpecial
      ? []
      : [
          [
            "windows",
            identified.windowsBegin === null ? "none" : `begin ${identified.windowsBegin}`,
          ],
          ["refusals", REFUSALS[identified.counts ?? ""]!],
        ]),
    ["counted by", aspectsText(result.countedBy)],
    [
      "clock",
      identified.clock === null ? "its steps cannot be seen" : `in ${STEPS[identified.clock]}`,
    ],
    ["resolution", `times are known to ${formatDuration(micros(result.resolutionUs))}`],
    ...(announced === null
      ? []
      : [
          ["Retry-After", waitText(announced)],
          ["Limit", limitText(announced, identified.capacity)],
          ["Remaining", comparisonText(announced.remaining)],
          ["Reset", comparisonText(announced.reset)],
        ]),
    [
      "behaves as",
      identified.profiles.length === 0 ? "no profile" : identified.profiles.join(", "),
    ],
    ["evidence", cost],
  ];
  return [
    `${paint("good", "identified")} ${oneLine(target)}`,
    ...rows.map(([name, text]) => `  ${name!.padEnd(12)} ${text}`),
  ];
}

const STEPS: Readonly<Record<string, string>> = {
  "whole seconds": "whole seconds",
  "less than a second": "steps of less than a second",
};

const REFUSALS: Readonly<Record<string, string>> = {
  "refusals too": "count as attempts",
  "admitted requests alone": "do not count",
  "": "make no difference in such windows",
};

const aspectsText = (countedBy: CountedByFindings): string =>
  ASPECTS.map((aspect) => {
    const found = countedBy[aspect];
    return `${aspect}: ${found === null ? "undecided" : found ? "yes" : "no"}`;
  }).join(", ");

function waitText(findings: AnnouncedFindings): string {
  const { refusals, waits, comparedWaits, tooShort, tooLong } = findings;
  if (waits === 0) return `in none of ${many(refusals, "refusal")}`;
  const wrong = [
    ...(tooShort === 0 ? [] : [`${tooShort} too short`]),
    ...(tooLong === 0 ? [] : [`${tooLong} more than a second too long`]),
  ];
  const found = comparedWaits === 0 ? [] : wrong.length === 0 ? ["all true"] : wrong;
  const compared = comparedWaits === waits ? [] : [`${comparedWaits} compared`];
  return [`in ${waits} of ${many(refusals, "refusal")}`, ...compared, ...found].join(", ");
}

function limitText({ limits }: AnnouncedFindings, capacity: number): string {
  if (limits.length === 0) return "absent";
  const isTrue = limits.includes(capacity);
  return `${limits.join(", ")}, ${isTrue ? "true" : "not what is admitted at once"}`;
}

function comparisonText({ present, compared, untrue }: AnnouncedFindings["reset"]): string {
  if (present === 0) return "absent";
  if (compared === 0) return `in ${many(present, "response")}, none of which could be compared`;
  const wrong = untrue === 0 ? "all true" : `${untrue} not true`;
  return `in ${many(present, "response")}, ${compared} compared, ${wrong}`;
}
