// The world of a question as the lines of a scenario file: what is searched is what the file says.
import { TRAITS } from "../../core/algorithms.ts";
import { formatDuration, microsToSeconds } from "../../core/units.ts";
import { clocksOf, haveOneClock, overlaps, type Question } from "./question.ts";

/** Commands of a pipeline have to take some time, or no other request could fall between them. */
const COMMAND = "1us";

export function worldLines(question: Question, clients: readonly string[]): readonly string[] {
  const { level } = question;
  const limit = `rate: ${question.rate}, per: ${microsToSeconds(question.perUs)}`;
  const ofApi = level === "api" ? `, ${limit}` : "";
  const ofKey = level === "key" ? `, ${limit}` : "";
  return [
    "world:",
    `  apis: { orders: { listen: /orders${ofApi} } }`,
    "  keys:",
    ...clients.map((client) => `    ${client}: { apis: [orders]${ofKey} }`),
    `  gateway: { ${gatewayWords(question).join(", ")} }`,
    ...(question.nodes === 1 && haveOneClock(question)
      ? []
      : [`  fleet: { ${fleetWords(question).join(", ")} }`]),
    ...(overlaps(question) ? [`  store: { ${storeWords(question).join(", ")} }`] : []),
  ];
}

const gatewayWords = ({ algorithm, burst, fixedWindowStart }: Question): readonly string[] => [
  `algorithm: ${algorithm}`,
  ...(TRAITS[algorithm].options.includes("burst") ? [`burst: ${burst}`] : []),
  ...(fixedWindowStart === "clock" ? ["fixed_window_start: clock"] : []),
];

const fleetWords = (question: Question): readonly string[] => {
  const { nodes, balancer, weights } = question;
  const skew = clocksOf(question).map((us) => signed(us));
  return [
    `nodes: ${nodes}`,
    `balancer: ${balancer}`,
    ...(weights.length === 0 ? [] : [`weights: [${weights.join(", ")}]`]),
    ...(haveOneClock(question) ? [] : [`skew: [${skew.join(", ")}]`]),
  ];
};

const storeWords = ({ algorithm, storeUs }: Question): readonly string[] => [
  `latency: ${formatDuration(storeUs)}`,
  ...(TRAITS[algorithm].sentAsCommands === "always" ? [`cost: { command: ${COMMAND} }`] : []),
];

const signed = (us: number): string =>
  `${us < 0 ? "-" : ""}${formatDuration(Math.abs(us) as Question["perUs"])}`;
