// The requests of a history before any limit is evaluated: time, client, and levels.
import { SECOND } from "../core/units.ts";
import type { OracleConfiguration } from "./configured.ts";
import type { Flow } from "../scenario/types.ts";
import { COST_HEADER, LOOPBACK, type History } from "../scenario/history.ts";
import { costOf, resolveAdmission, type Admission } from "./admission.ts";
import type { Moment } from "./ledger.ts";
import { isCountedHere, ledgersOf, levelsFor, type OracleLevel } from "./levels.ts";
import { byOtherClock, clockWindowsUs } from "./other-clock.ts";
import { outagesOf, type Outage } from "./outage.ts";
import { credentialOf, type OracleWorld, type FlowCredential } from "./world.ts";

export interface Entry {
  readonly moment: Moment;
  readonly configuration: OracleConfiguration;
  readonly admission: Admission;
  readonly levels: readonly OracleLevel[];
  readonly ledgers: readonly string[]; // one a level
  readonly gateways: number; // n, in the view of its gateway
  readonly cost: number; // in units (LIM-C18)
  readonly outage: Outage;
  /** The configuration changed while the request was under way, so it is open which one applied. */
  readonly between: boolean;
}

/** The API, the rights and the levels of a request: the same for each request of one client of a flow. */
type Resolved = Pick<Entry, "admission" | "levels" | "ledgers">;

export function entriesOf(history: History, world: OracleWorld): Entry[] {
  const resolved = new Map<string, Resolved>();
  const rows = Array.from({ length: history.requests.length }, (_, row) =>
    resolveRow(history, world, row, resolved),
  );
  const needsStore = (row: number): boolean => !rows[row]!.levels.every(isCountedHere);
  const outageOf = outagesOf(history, world, needsStore);
  return rows.map((one) => ({ ...one, outage: outageOf(one.moment) }));
}

function resolveRow(
  history: History,
  world: OracleWorld,
  row: number,
  resolvedByText: Map<string, Resolved>,
): Omit<Entry, "outage"> {
  const { requests, header } = history;
  const moment = momentOf(history, world, row);
  const sent = requestAt(history, world, row);
  const epoch = epochOf(world, moment);
  const { configuration } = world.epochs[epoch]!;
  const sentUs = requests.sentUs[row]!;
  const between = world.epochs.some(({ atUs, gateway }) => {
    const isHere = gateway === null || gateway === moment.gateway;
    return atUs <= moment.toUs && sentUs < (isHere ? atUs : atUs + SECOND);
  });
  const gateways = Math.max(1, requests.fleet[row]!);
  const { credential, address } = sent;
  const presented = credential === null ? "" : `=${credential}`;
  const same = `${epoch} ${requests.flow[row]} ${gateways} ${moment.gateway} ${address} ${presented}`;
  const result =
    resolvedByText.get(same) ?? resolve(sent, moment, header.epochUs, gateways, configuration);
  if (!dependsOnTime(result.admission)) resolvedByText.set(same, result);
  const costHeader = configuration.options.costHeader ?? sent.costHeader;
  const cost = costOf(sent.headers, { costHeader }) ?? 1;
  return {
    ...result,
    moment: byOtherClock(moment, header, clockWindowsUs(result.levels, configuration)),
    configuration,
    gateways,
    cost,
    between,
  };
}

/** The levels that the same request would have met in another epoch. */
export function levelsIn(
  epoch: number,
  { moment, gateways }: Entry,
  history: History,
  world: OracleWorld,
): readonly OracleLevel[] {
  const sent = requestAt(history, world, moment.row);
  const { configuration } = world.epochs[epoch]!;
  return resolve(sent, moment, history.header.epochUs, gateways, configuration).levels;
}

/** What a client sends, and its address. */
interface SentRequest extends FlowCredential {
  readonly method: string;
  readonly path: string;
  readonly headers: Flow["headers"];
  readonly costHeader: string | null; // if the configuration names none
  readonly address: string;
}

/** Of a flow that mixes keys or paths the history has an entry for each combination. */
function requestAt({ requests, header }: History, world: OracleWorld, row: number): SentRequest {
  const part = header.flows[requests.flow[row]!]!;
  const flow = world.flows.get(part.name);
  if (flow === undefined)
    throw new Error(`row ${row} is of flow "${part.name}", which the scenario does not have`);
  const { as, method, path } = part;
  const presented = credentialOf(world, { ...flow, as }, requests.client[row]!);
  const address = header.addresses?.[requests.address[row]!] ?? LOOPBACK;
  const costHeader = flow.cost === undefined ? null : COST_HEADER;
  return { method, path, headers: flow.headers, costHeader, address, ...presented };
}

/** A change applies to the requests of its own instant. */
export const epochOf = ({ epochs }: OracleWorld, { toUs }: Moment): number =>
  epochs.findLastIndex(({ atUs }) => atUs <= toUs);

function resolve(
  sent: SentRequest,
  moment: Moment,
  epochUs: number,
  gateways: number,
  configuration: OracleConfiguration,
): Resolved {
  const admitted = resolveAdmission(
    { ...sent, unixFromUs: epochUs + moment.loUs, unixToUs: epochUs + moment.hiUs },
    configuration,
  );
  const levels =
    admitted.kind === "served"
      ? levelsFor(admitted, { ...sent, gateways }, configuration.options)
      : [];
  return { admission: admitted, levels, ledgers: ledgersOf(levels, moment.gateway) };
}

/** Only a key that expires changes its result later. */
const dependsOnTime = (admitted: Admission): boolean =>
  admitted.kind !== "served" ||
  (admitted.client !== null && Number.isFinite(admitted.client.key.expiresUs));

/** Without the gateway's own stamp, the span is all that is known. */
function momentOf({ requests, header }: History, world: OracleWorld, row: number): Moment {
  const [fromUs, toUs] = [requests.fromUs[row]!, requests.toUs[row]!];
  const { timing } = header;
  const stampUs = requests.stampUs[row]!;
  const isStamped = (timing.kind === "exact" || timing.isStamped) && !Number.isNaN(stampUs);
  const stepUs = timing.kind === "exact" ? 0 : (timing.stepUs ?? 0);
  return {
    row,
    fromUs,
    toUs,
    loUs: isStamped ? stampUs : fromUs - stepUs,
    hiUs: isStamped ? stampUs : toUs,
    flightFromUs: requests.sentUs[row]!,
    flightToUs: requests.answeredUs[row]! + world.storeFlightUs,
    gateway: requests.gateway[row]!,
  };
}
