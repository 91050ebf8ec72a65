// The requests of a history as the oracle sees them before any limit is judged: when, who, and which levels.
import { SECOND } from "../core/units.ts";
import type { Configuration } from "./configured.ts";
import type { Flow } from "../scenario/types.ts";
import { LOOPBACK, type History } from "../scenario/history.ts";
import { admission, type Admission } from "./admission.ts";
import type { Moment } from "./ledger.ts";
import { isCountedHere, levelsFor, type Level } from "./levels.ts";
import { outagesOf, type Outage } from "./outage.ts";
import { presentedBy, type OracleWorld, type Presented } from "./world.ts";

export interface Entry {
  readonly moment: Moment;
  readonly configuration: Configuration;
  readonly admission: Admission;
  readonly levels: readonly Level[];
  readonly gateways: number; // n as its gateway knew it
  readonly outage: Outage;
  /** A change of configuration came while it was on its way, so it is open which one ruled. */
  readonly between: boolean;
}

/** What a request asks for, which is the same whenever the same client of a flow sends it. */
interface Resolved {
  readonly admission: Admission;
  readonly levels: readonly Level[];
}

export function entriesOf(history: History, world: OracleWorld): Entry[] {
  const resolved = new Map<string, Resolved>();
  const asked = Array.from({ length: history.requests.length }, (_, row) =>
    askedOf(history, world, row, resolved),
  );
  const asksStore = (row: number): boolean => !asked[row]!.levels.every(isCountedHere);
  const outageOf = outagesOf(history, world, asksStore);
  return asked.map((one) => ({ ...one, outage: outageOf(one.moment) }));
}

function askedOf(
  history: History,
  world: OracleWorld,
  row: number,
  known: Map<string, Resolved>,
): Omit<Entry, "outage"> {
  const { requests, header } = history;
  const moment = momentOf(history, world, row);
  const sent = sentIn(history, world, row);
  const epoch = epochOf(world, moment);
  const { configuration } = world.epochs[epoch]!;
  const sentUs = requests.sentUs[row]!;
  const between = world.epochs.some(({ atUs, gateway }) => {
    const isHere = gateway === null || gateway === moment.gateway;
    return atUs <= moment.toUs && sentUs < (isHere ? atUs : atUs + SECOND);
  });
  const gateways = Math.max(1, requests.fleet[row]!);
  const same = JSON.stringify([epoch, requests.flow[row], gateways, sent.credential, sent.address]);
  const found = known.get(same) ?? resolve(sent, moment, header.epochUs, gateways, configuration);
  if (!dependsOnTime(found.admission)) known.set(same, found);
  return { ...found, moment, configuration, gateways, between };
}

/** The levels that the same request would have met in another epoch. */
export function levelsIn(
  epoch: number,
  { moment, gateways }: Entry,
  history: History,
  world: OracleWorld,
): readonly Level[] {
  const sent = sentIn(history, world, moment.row);
  const { configuration } = world.epochs[epoch]!;
  return resolve(sent, moment, history.header.epochUs, gateways, configuration).levels;
}

/** What a client shows, and where it comes from. */
interface Sent extends Presented {
  readonly method: string;
  readonly path: string;
  readonly headers: Flow["headers"];
  readonly address: string;
}

/** Of a flow that mixes keys or paths the history has an entry for each combination. */
function sentIn({ requests, header }: History, world: OracleWorld, row: number): Sent {
  const part = header.flows[requests.flow[row]!]!;
  const flow = world.flows.get(part.name);
  if (flow === undefined)
    throw new Error(`row ${row} is of flow "${part.name}", which the scenario does not have`);
  const { as, method, path } = part;
  const presented = presentedBy(world, { ...flow, as }, requests.client[row]!);
  const address = header.addresses?.[requests.address[row]!] ?? LOOPBACK;
  return { method, path, headers: flow.headers, address, ...presented };
}

/** A change rules the requests of its own instant. */
export const epochOf = ({ epochs }: OracleWorld, { toUs }: Moment): number =>
  epochs.findLastIndex(({ atUs }) => atUs <= toUs);

function resolve(
  sent: Sent,
  moment: Moment,
  epochUs: number,
  gateways: number,
  configuration: Configuration,
): Resolved {
  const admitted = admission(
    { ...sent, unixFromUs: epochUs + moment.loUs, unixToUs: epochUs + moment.hiUs },
    configuration,
  );
  const levels =
    admitted.kind === "served"
      ? levelsFor(admitted, { ...sent, gateways }, configuration.options)
      : [];
  return { admission: admitted, levels };
}

/** Only a key that expires is another one later. */
const dependsOnTime = (admitted: Admission): boolean =>
  admitted.kind !== "served" ||
  (admitted.client !== null && Number.isFinite(admitted.client.key.expiresUs));

/** Where the gateway's own stamp is not known, nothing better is known than the span. */
function momentOf({ requests, header }: History, world: OracleWorld, row: number): Moment {
  const [fromUs, toUs] = [requests.fromUs[row]!, requests.toUs[row]!];
  const { timing } = header;
  const stampUs = requests.stampUs[row]!;
  const isStamped = (timing.kind === "exact" || timing.isStamped) && !Number.isNaN(stampUs);
  return {
    row,
    fromUs,
    toUs,
    loUs: isStamped ? stampUs : fromUs,
    hiUs: isStamped ? stampUs : toUs,
    flightFromUs: requests.sentUs[row]!,
    flightToUs: requests.answeredUs[row]! + world.storeFlightUs,
    gateway: requests.gateway[row]!,
  };
}
