// The evidence as the text of a scenario file: the same requests at the same times, and the counts that were seen.
import { formatDuration, micros, microsToSeconds } from "../../kit/units.ts";
import { classOf, isPaced, numbersText, readsClock, type LimitBehaviour } from "./behaviour.ts";
import { configurationOf } from "./behaviour-of.ts";
import type { Identification } from "./identify.ts";
import { createSuspect, predictTallies, toleranceOf } from "./suspect.ts";
import { countOf, isFirstSender, type ProbedGroup } from "./target.ts";

const PATH = "/orders";

/** Null: nothing was identified that a scenario could claim. */
export function formatEvidence({ behaviour, steps, timing }: Identification): string | null {
  if (behaviour === null) return null;
  const groups = steps.flatMap((step) => step.groups).filter(isFirstSender);
  const startUs = groups[0]?.responses[0]?.sentUs ?? 0;
  const { rate, perUs, queue, imitation } = configurationOf(behaviour);
  const { gateway } = classOf(behaviour);
  return [
    "id: evidence",
    `title: the requests that identified ${numbersText(behaviour)}`,
    "about: >",
    `  Requests of weir identify at the times at which they were sent${readsClock(behaviour) ? ". How many were admitted depends on the clock." : ", and how many of each group were admitted."}`,
    "world:",
    "  apis: { orders: { listen: /orders } }",
    "  keys:",
    `    prober: { apis: [orders], rate: ${rate}, per: ${microsToSeconds(micros(perUs))} }`,
    `  gateway: { ${gateway}${behaviour.name === "queue" ? `, queue: ${queue}` : ""} }`,
    "traffic:",
    ...groups.map((group, index) => trafficLine(group, index, startUs)),
    "expect:",
    ...countLines(behaviour, groups, timing),
    // The specification has nothing about limiters of others.
    ...(imitation === null
      ? ["  - { id: no window has more than the algorithm admits, invariant: bounds }"]
      : []),
    "",
  ].join("\n");
}

function trafficLine({ count, everyUs, responses }: ProbedGroup, index: number, startUs: number) {
  const sentUs = Math.min(...responses.map((each) => each.sentUs));
  const at = formatDuration(micros(Math.max(0, Math.round(sentUs - startUs))));
  const sending =
    everyUs > 0 ? `every: ${formatDuration(micros(everyUs))}, count: ${count}` : `burst: ${count}`;
  return `  - { name: group ${index + 1}, as: prober, send: GET ${PATH}, ${sending}, at: ${at} }`;
}

/** By the clock a window ends at another time when it is run again, so that only bounds hold. */
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
    // A count of 0 holds without any request too, so that the reader wants to know among how many.
    const sent = most === 0 ? `, among: { atLeast: ${group.count} }` : "";
    return `  - { id: ${name} admits what it did, count: { flow: ${name}, status: 200 }, between: [${least}, ${most}]${sent} }`;
  });
}
