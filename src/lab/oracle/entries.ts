// The requests of a history before any limit is evaluated: time, client, and levels.
import { SECOND } from "../../kit/units.ts";
import type { OracleConfiguration } from "./configured.ts";
import type { Flow } from "../scenario/types.ts";
import { LOOPBACK, NO_GATEWAY, type History } from "../scenario/history.ts";
import { costOf, resolveAdmission, type Admission } from "./admission.ts";
import type { Moment } from "./ledger.ts";
import { isCountedHere, ledgersOf, levelsFor, type OracleLevel } from "./levels.ts";
import { byOtherClock, clockWindowsUs } from "./other-clock.ts";
import { outagesOf, type Outage } from "./outage.ts";
import { countCredentials, credentialOf, type OracleWorld, type FlowCredential } from "./world.ts";

export interface Entry {
  readonly moment: Moment;
  readonly configuration: OracleConfiguration;
  readonly admission: Admission;
  readonly levels: readonly OracleLevel[];
  readonly ledgers: readonly string[]; // one for each level
  readonly gateways: number; // number of active gateways that the request's gateway counts
  readonly cost: number; // units of the request (LIM-C19)
  readonly outage: Outage;
  /** The configuration changed while the request was in flight, so either configuration may have applied. */
  readonly between: boolean;
}

/** The part of an entry that depends only on the request: it is equal for all requests of one client of a flow. */
interface Resolved extends Pick<Entry, "admission" | "levels" | "ledgers" | "cost"> {
  readonly windowsUs: readonly number[]; // lengths of its clock windows
}

export function entriesOf(history: History, world: OracleWorld): Entry[] {
  const resolved = new Map<SentRequest, Map<string, Resolved>>();
  const sentIn = requestsIn(history, world);
  const rows = Array.from({ length: history.requests.length }, (_, row) =>
    resolveRow(history, world, row, sentIn(row), resolved),
  );
  const needsStore = (row: number): boolean => !rows[row]!.levels.every(isCountedHere);
  const outageOf = outagesOf(history, world, needsStore);
  return rows.map((one) => ({ ...one, outage: outageOf(one.moment) }));
}

function resolveRow(
  history: History,
  world: OracleWorld,
  row: number,
  sent: SentRequest,
  resolvedBySent: Map<SentRequest, Map<string, Resolved>>,
): Omit<Entry, "outage"> {
  const { requests, header } = history;
  const moment = momentOf(history, world, row);
  const epoch = epochOf(world, moment);
  const { configuration } = world.epochs[epoch]!;
  const between = firstEpochOf(world, moment) < epoch;
  const gateways = Math.max(1, requests.fleet[row]!);
  const address = requests.address[row]!;
  const same = `${epoch} ${gateways} ${moment.gateway} ${address}`;
  let known = resolvedBySent.get(sent);
  if (known === undefined) resolvedBySent.set(sent, (known = new Map()));
  const result =
    known.get(same) ??
    resolve(
      { ...sent, address: addressIn(history, row) },
      moment,
      header.epochUs,
      gateways,
      configuration,
    );
  const { admission, levels, ledgers, cost, windowsUs } = result;
  if (!dependsOnTime(sent, configuration)) known.set(same, result);
  return {
    admission,
    // A request that no gateway received met no limit (LIM-C18).
    ...(requests.gateway[row] === NO_GATEWAY ? NO_LEVELS : { levels, ledgers }),
    moment: byOtherClock(moment, header, windowsUs),
    configuration,
    gateways,
    cost,
    between,
  };
}

const NO_LEVELS: Pick<Entry, "levels" | "ledgers"> = { levels: [], ledgers: [] };

/** The levels that the request would have met in the given epoch. */
export function levelsIn(
  epoch: number,
  { moment, gateways }: Entry,
  history: History,
  world: OracleWorld,
): readonly OracleLevel[] {
  const { row } = moment;
  const sent = { ...requestAt(history, world, row), address: addressIn(history, row) };
  const { configuration } = world.epochs[epoch]!;
  return resolve(sent, moment, history.header.epochUs, gateways, configuration).levels;
}

/** What a client sends in a request. */
interface SentRequest extends FlowCredential {
  readonly method: string;
  readonly path: string;
  readonly headers: Flow["headers"];
}

/** Returns a function that finds the request of a row. Rows of a flow with the same credential share one object. */
function requestsIn(history: History, world: OracleWorld): (row: number) => SentRequest {
  const { requests, header } = history;
  const byFlow = header.flows.map(() => new Map<number, SentRequest>());
  return (row) => {
    const flow = requests.flow[row]!;
    const place = requests.client[row]! % countCredentials(world, header.flows[flow]!.as);
    let sent = byFlow[flow]!.get(place);
    if (sent === undefined) byFlow[flow]!.set(place, (sent = requestAt(history, world, row)));
    return sent;
  };
}

/** If a flow of the scenario mixes keys or paths, the history has a flow for each combination. */
function requestAt({ requests, header }: History, world: OracleWorld, row: number): SentRequest {
  const { name, as, method, path } = header.flows[requests.flow[row]!]!;
  const flow = world.flows.get(name);
  if (flow === undefined)
    throw new Error(`row ${row} is of flow "${name}", which the scenario does not have`);
  const { headers } = flow;
  const presented = credentialOf(world, { as, headers }, requests.client[row]!);
  return { method, path, headers, ...presented };
}

const addressIn = ({ requests, header }: History, row: number): string =>
  header.addresses?.[requests.address[row]!] ?? LOOPBACK;

/** The index of a request's epoch. A change already applies to requests at its own instant. */
export const epochOf = ({ epochs }: OracleWorld, { toUs }: Moment): number =>
  epochs.findLastIndex(({ atUs }) => atUs <= toUs);

/** The index of the earliest epoch that may have applied in flight: other gateways read a change up to 1 s later. */
export const firstEpochOf = (
  { epochs }: OracleWorld,
  { flightFromUs: sentUs, gateway: own }: Moment,
): number => {
  const next = epochs.findIndex(
    ({ atUs, gateway }) => sentUs < (gateway === null || gateway === own ? atUs : atUs + SECOND),
  );
  return Math.max(0, (next < 0 ? epochs.length : next) - 1);
};

function resolve(
  sent: SentRequest & { readonly address: string },
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
  return {
    admission: admitted,
    levels,
    ledgers: ledgersOf(levels, moment.gateway),
    cost: costOf(sent.headers, configuration.options) ?? 1,
    windowsUs: clockWindowsUs(levels, configuration),
  };
}

/** Admission depends on time only if the key expires. */
const dependsOnTime = ({ credential }: SentRequest, { keys }: OracleConfiguration): boolean =>
  credential !== null &&
  Number.isFinite(keys.get(credential)?.expiresUs ?? Number.POSITIVE_INFINITY);

/** If the gateway reported no stamp, only the span of the decision is known. */
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
