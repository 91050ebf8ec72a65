// Writes a pattern as a scenario file that passes when it runs.
import { formatDuration, microsToSeconds } from "../../kit/units.ts";
import { linesOf, type ArrivalPattern } from "./pattern.ts";
import { type WorstCaseQuestion, clocksOf, hasOneClock, canOverlap } from "./question.ts";
import { TRAITS } from "../../limiter/core/algorithms.ts";

interface WorstCaseParts {
  readonly pattern: ArrivalPattern;
  readonly clients: readonly string[];
  readonly most: number;
  readonly about: readonly string[]; // lines of the scenario's `about`
}

export function formatScenario(
  question: WorstCaseQuestion,
  { pattern, clients, most, about }: WorstCaseParts,
): string {
  const per = formatDuration(question.perUs);
  return [
    `id: ${question.id}`,
    `title: ${question.algorithm} admits ${most} in ${per} where the limit is ${question.rate}`,
    "about: >",
    ...about.map((line) => `  ${line}`),
    "proves: [LIM-C11]",
    ...worldLines(question, clients),
    "traffic:",
    ...linesOf(pattern, clients),
    "expect:",
    `  - { id: the most in any window, maxInAnyWindow: { window: ${per} }, equals: ${most} }`,
    "",
  ].join("\n");
}

/** The duration of a pipeline's command: with 0, no other request could arrive between two commands. */
const COMMAND = "1us";

function worldLines(question: WorstCaseQuestion, clients: readonly string[]): readonly string[] {
  const { level } = question;
  const limit = `rate: ${question.rate}, per: ${microsToSeconds(question.perUs)}`;
  const apiLimit = level === "api" ? `, ${limit}` : "";
  const keyLimit = level === "key" ? `, ${limit}` : "";
  return [
    "world:",
    `  apis: { orders: { listen: /orders${apiLimit} } }`,
    "  keys:",
    ...clients.map((client) => `    ${client}: { apis: [orders]${keyLimit} }`),
    `  gateway: { ${gatewayFields(question).join(", ")} }`,
    ...(question.nodes === 1 && hasOneClock(question)
      ? []
      : [`  fleet: { ${fleetFields(question).join(", ")} }`]),
    ...(canOverlap(question) ? [`  store: { ${storeFields(question).join(", ")} }`] : []),
  ];
}

const gatewayFields = ({
  algorithm,
  burst,
  queue,
  fixedWindowStart,
}: WorstCaseQuestion): readonly string[] => [
  `algorithm: ${algorithm}`,
  ...(TRAITS[algorithm].options.includes("burst") ? [`burst: ${burst}`] : []),
  ...(TRAITS[algorithm].options.includes("queue") ? [`queue: ${queue}`] : []),
  ...(fixedWindowStart === "clock" ? ["fixed_window_start: clock"] : []),
];

const fleetFields = (question: WorstCaseQuestion): readonly string[] => {
  const { nodes, balancer, weights } = question;
  const skew = clocksOf(question).map((us) => formatSkew(us));
  return [
    `nodes: ${nodes}`,
    `balancer: ${balancer}`,
    ...(weights.length === 0 ? [] : [`weights: [${weights.join(", ")}]`]),
    ...(hasOneClock(question) ? [] : [`skew: [${skew.join(", ")}]`]),
  ];
};

const storeFields = ({ algorithm, storeUs }: WorstCaseQuestion): readonly string[] => [
  `latency: ${formatDuration(storeUs)}`,
  ...(TRAITS[algorithm].sentAsCommands === "always" ? [`cost: { command: ${COMMAND} }`] : []),
];

const formatSkew = (us: number): string =>
  `${us < 0 ? "-" : ""}${formatDuration(Math.abs(us) as WorstCaseQuestion["perUs"])}`;
