// Writes the evidence as a scenario file: the same requests at the same times, and the observed counts.
import { formatDuration, micros, microsToSeconds } from "../../kit/units.ts";
import { classOf, isComposed, isPaced, readsClock, type LimitBehaviour } from "./behaviour.ts";
import { numbersText } from "./behaviour-text.ts";
import { configurationOf } from "./behaviour-of.ts";
import type { Identification } from "./identify.ts";
import { toleranceOf } from "./comparison.ts";
import { createSuspect } from "./suspect.ts";
import { predictTallies } from "./predictions.ts";
import { countOf, isFirstSender, type ProbedGroup } from "./target.ts";

const PATH = "/orders";

/** Returns the scenario file. It has the observed counts, and no limit if no world can configure the behaviour. */
export function formatEvidence({ behaviour, seen, steps, timing }: Identification): string {
  // The last group may have been cut off before any request was sent.
  const groups = steps
    .flatMap((step) => step.groups)
    .filter((group) => isFirstSender(group) && group.responses.length > 0);
  const startUs = groups[0]?.responses[0]?.sentUs ?? 0;
  const named = behaviour === null || isComposed(behaviour) ? null : behaviour;
  return [
    "id: evidence",
    ...(named === null ? describeSeen(seen) : describeNamed(named)),
    "traffic:",
    ...groups.map((group, index) => trafficLine(group, index, startUs)),
    "expect:",
    ...(named === null ? formatCounts(groups) : countLines(named, groups, timing)),
    // The specification does not describe limiters of others.
    ...(named === null || configurationOf(named).imitation === null
      ? ["  - { id: no window has more than the algorithm admits, invariant: bounds }"]
      : []),
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

const describeSeen = (seen: string): readonly string[] => [
  "title: the requests of an identification that found no single algorithm",
  "about: >",
  "  Requests of weir identify at the times at which they were sent, and how many of each group were admitted. The world",
  `  has no limit: send them to the server again with --target. Seen: ${seen === "" ? "no limit" : seen}.`,
  "world:",
  "  apis: { orders: { listen: /orders } }",
  "  keys:",
  "    prober: { apis: [orders] }",
];

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
