// The hour in which a limit refuses most, as a scenario that sends its requests again.
import { formatDuration, micros, SECOND } from "../../kit/units.ts";
import { oneLine, plural } from "../../kit/reading/legible.ts";
import { limitText, startCandidate, type ReplayLimit } from "../replay/candidates.ts";
import { isoTime } from "../replay/result.ts";
import { timeText } from "../../kit/reading/periods.ts";
import type { DecidedClients } from "./refusals.ts";
import type { ShownName } from "./result.ts";
import { gatewayFields } from "./world.ts";

const HOUR = 3600 * SECOND;

/** Most clients and requests of a readable scenario. Clients share no budget, so some can be left out. */
const MOST_CLIENTS = 200;
const MOST_REQUESTS = 20_000;

interface HourOfClient {
  readonly name: string;
  readonly timesUs: readonly number[];
  readonly refused: number;
}

export interface WorstHour {
  readonly startUs: number;
  readonly clients: readonly HourOfClient[]; // the most refused ones first
  readonly clientsLeftOut: number;
}

/** Finds the hour with most refusals; without any, the hour with most requests. Counters are new at its start. */
export function findWorstHour(
  limit: ReplayLimit,
  decided: DecidedClients,
  refusedIds: Int32Array,
): WorstHour {
  const { columns, names } = decided;
  const { starts, atUs } = columns;
  const hours = new Map<number, number>();
  const count = (us: number): void => {
    const hour = Math.floor(us / HOUR);
    hours.set(hour, (hours.get(hour) ?? 0) + 1);
  };
  for (const id of refusedIds)
    for (const us of timesOfRefusals(limit, names[id]!, atUs.subarray(starts[id], starts[id + 1])))
      count(us);
  if (hours.size === 0) for (const us of atUs) count(us);
  const [worst] = [...hours].toSorted(([a, most], [b, other]) => other - most || a - b)[0]!;
  const startUs = worst * HOUR;
  const clients: HourOfClient[] = [];
  for (const [id, name] of names.entries()) {
    const timesUs = atUs
      .subarray(starts[id], starts[id + 1])
      .filter((us) => us >= startUs && us < startUs + HOUR);
    if (timesUs.length === 0) continue;
    const refused = timesOfRefusals(limit, name, timesUs).length;
    clients.push({ name, timesUs: [...timesUs], refused });
  }
  const sorted = clients.toSorted(
    (a, b) => b.refused - a.refused || b.timesUs.length - a.timesUs.length,
  );
  let requests = 0;
  const first = sorted.findIndex(
    ({ timesUs }, index) =>
      index === MOST_CLIENTS || ((requests += timesUs.length) > MOST_REQUESTS && index > 0),
  );
  const shown = first < 0 ? sorted : sorted.slice(0, first);
  return { startUs, clients: shown, clientsLeftOut: sorted.length - shown.length };
}

function timesOfRefusals(
  limit: ReplayLimit,
  name: string,
  timesUs: Float64Array,
): readonly number[] {
  const limiter = startCandidate(limit, { clients: { names: [name] }, targets: null });
  limiter.makeRoom(1);
  return [...timesUs].filter((us) => limiter.decide(0, 0, us) > 0);
}

/** Writes the scenario. Its start is a multiple of the window, so windows by the clock begin as in the log. */
export function formatWorstHour(
  limit: ReplayLimit,
  { startUs, clients, clientsLeftOut }: WorstHour,
  shownName: ShownName,
): string {
  const { rate, perUs } = limit.limit;
  const originUs = Math.floor(startUs / perUs) * perUs;
  const refused = clients.reduce((sum, each) => sum + each.refused, 0);
  const requests = clients.reduce((sum, { timesUs }) => sum + timesUs.length, 0);
  const at = (us: number): string => formatDuration(micros(us - originUs));
  return [
    refused === 0
      ? `title: an hour of which ${limitText(limit.limit)} ${limit.by.name} refuses nothing`
      : `title: the hour in which ${limitText(limit.limit)} ${limit.by.name} refuses most`,
    "about: >",
    `  Requests of an access log from ${timeText(isoTime(startUs))} UTC on, for an hour. Times count from ${timeText(isoTime(originUs))} UTC.`,
    ...(clientsLeftOut === 0
      ? []
      : [
          `  ${clientsLeftOut} more ${plural(clientsLeftOut, "client")} of this hour ${plural(clientsLeftOut, "is", "are")} left out, refused least.`,
        ]),
    "world:",
    "  apis: { api: { listen: / } }",
    "  policies:",
    `    recommended: { rate: ${rate}, per: ${formatDuration(perUs)}, apis: [api] }`,
    "  keys:",
    ...clients.map((_, i) => `    client-${i + 1}: { apply_policies: [recommended] }`),
    `  gateway: { ${gatewayFields(limit)} }`,
    "traffic:",
    ...clients.flatMap(({ name, timesUs }, i) => [
      `  # ${oneLine(JSON.stringify(shownName(name)))}`,
      `  - { name: client ${i + 1}, as: client-${i + 1}, send: GET /, trace: { times: [${timesUs.map(at).join(", ")}] } }`,
    ]),
    "expect:",
    `  - { id: all refusals, count: { status: 429 }, equals: ${refused}, among: { atLeast: ${requests} } }`,
    ...clients.flatMap((each, i) =>
      each.refused === 0
        ? []
        : [
            `  - { id: refusals of client ${i + 1}, count: { flow: client ${i + 1}, status: 429 }, equals: ${each.refused} }`,
          ],
    ),
    "",
  ].join("\n");
}
