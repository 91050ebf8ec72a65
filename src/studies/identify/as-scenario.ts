// Writes the evidence as a scenario file: the same requests at the same times, and the observed counts.
import { formatDuration, micros, microsToSeconds } from "../../kit/units.ts";
import { classOf, isComposed, isPaced, readsClock, type LimitBehaviour } from "./behaviour.ts";
import { numbersText, titleOf } from "./behaviour-text.ts";
import { configurationOf } from "./behaviour-of.ts";
import type { Identification } from "./identify.ts";
import type { IdentifyStep } from "./prober.ts";
import { SPECIAL_TITLES, specialNumbersText } from "./special.ts";
import { toleranceOf } from "./comparison.ts";
import { createSuspect } from "./suspect.ts";
import { predictTallies } from "./predictions.ts";
import { countOf, isFirstSender, type ProbedGroup } from "./target.ts";

const PATH = "/orders";

/** Lists the groups that the scenario sends: those of the first sender, each with as many requests as were sent. */
export const listSentAgain = (steps: readonly IdentifyStep[]): readonly ProbedGroup[] =>
  steps
    .flatMap(({ groups }) => groups)
    // The last group may have been cut off before all its requests were sent, or any.
    .filter((group) => isFirstSender(group) && group.responses.length > 0)
    .map((group) => ({ ...group, count: group.responses.length }));

/** Returns the scenario file. It has the observed counts, and no limit if no world can configure the behaviour. */
export function formatEvidence(found: Identification): string {
  const { behaviour, steps, timing } = found;
  const groups = listSentAgain(steps);
  const startUs = groups[0]?.responses[0]?.sentUs ?? 0;
  const named = behaviour === null || isComposed(behaviour) ? null : behaviour;
  return [
    "id: evidence",
    ...(named === null ? describeSeen(found) : describeNamed(named)),
    "traffic:",
    ...groups.map((group, index) => trafficLine(group, index, startUs)),
    "expect:",
    ...(named === null ? formatCounts(groups) : countLines(named, groups, timing)),
    ...(named === null ? [] : invariantLines(named)),
    "",
  ].join("\n");
}

function describeNamed(behaviour: LimitBehaviour): readonly string[] {
  const { rate, perUs, queue } = configurationOf(behaviour);
  const { gateway } = classOf(behaviour);
  return [
    `title: the requests that identified ${numbersText(behaviour)}`,
    "about: >",
    `  Requests of weir identify at the times at which they were sent${readsClock(behaviour) ? ". How many were admitted depends on the clock." : ", and how many of each group were admitted."}`,
    "world:",
    "  apis: { orders: { listen: /orders } }",
    "  keys:",
    `    prober: { apis: [orders], rate: ${rate}, per: ${microsToSeconds(micros(perUs))} }`,
    `  gateway: { ${gateway}${behaviour.name === "queue" ? `, queue: ${queue}` : ""} }`,
  ];
}

const describeSeen = (found: Identification): readonly string[] => [
  `title: ${titleWithoutLimit(found)}`,
  "about: >",
  "  Requests of weir identify at the times at which they were sent, and how many of each group were admitted. The world",
  `  has no limit: send them to the server again with --target. Seen: ${found.seen === "" ? "no limit" : found.seen}.`,
  "world:",
  "  apis: { orders: { listen: /orders } }",
  "  keys:",
  "    prober: { apis: [orders] }",
];

function titleWithoutLimit({ behaviour, special }: Identification): string {
  if (special !== null)
    return `the requests that identified ${SPECIAL_TITLES[special.kind]}, ${specialNumbersText(special)}`;
  return behaviour === null
    ? "the requests of an identification that found no single algorithm"
    : `the requests that identified ${titleOf(behaviour)}, ${numbersText(behaviour)}`;
}

const formatCounts = (groups: readonly ProbedGroup[]): readonly string[] =>
  groups.map((group, index) => {
    const name = `group ${index + 1}`;
    const admitted = countOf(group, "admitted");
    const sent = admitted === 0 ? `, among: { atLeast: ${group.count} }` : "";
    return `  - { id: ${name} admits what it did, count: { flow: ${name}, status: 200 }, between: [${admitted}, ${admitted}]${sent} }`;
  });

function trafficLine({ count, everyUs, responses }: ProbedGroup, index: number, startUs: number) {
  const sentUs = Math.min(...responses.map((each) => each.sentUs));
  const at = formatDuration(micros(Math.max(0, Math.round(sentUs - startUs))));
  const sending =
    everyUs > 0 ? `every: ${formatDuration(micros(everyUs))}, count: ${count}` : `burst: ${count}`;
  return `  - { name: group ${index + 1}, as: prober, send: GET ${PATH}, ${sending}, at: ${at} }`;
}

/** The specification has no bounds for limiters of others. Of those that read the clock, nothing else would be checked. */
function invariantLines(behaviour: LimitBehaviour): readonly string[] {
  if (configurationOf(behaviour).imitation === null)
    return ["  - { id: no window has more than the algorithm admits, invariant: bounds }"];
  return readsClock(behaviour)
    ? ["  - { id: every request gets a response, invariant: responses }"]
    : [];
}

/** Lines with the expected counts; none for a window of the clock, which ends at another time in the next run. */
function countLines(
  behaviour: LimitBehaviour,
  groups: readonly ProbedGroup[],
  timing: Identification["timing"],
): readonly string[] {
  if (readsClock(behaviour)) return [];
  const planned = groups.map((group) => ({
    ...group,
    atUs: Math.min(...group.responses.map((each) => each.sentUs)),
  }));
  const expected = predictTallies(createSuspect(behaviour), planned, timing);
  return groups.flatMap((group, index) => {
    const seen = countOf(group, "admitted");
    const { admitted } = expected[index]!;
    const slack = isPaced(behaviour) ? 1 + toleranceOf(behaviour, group.count, timing) : 0;
    const least = Math.max(0, Math.min(seen, admitted) - slack);
    const most = Math.max(seen, admitted) + slack;
    const name = `group ${index + 1}`;
    // Zero requests also have a count of 0, so the number of requests is required too.
    const sent = most === 0 ? `, among: { atLeast: ${group.count} }` : "";
    return `  - { id: ${name} admits what it did, count: { flow: ${name}, status: 200 }, between: [${least}, ${most}]${sent} }`;
  });
}
