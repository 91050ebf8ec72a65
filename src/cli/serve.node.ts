// The gateway as a process: starts it, prints its addresses, and reloads or ends it on a signal.
import { micros } from "../kit/units.ts";
import type { Management } from "../gateway/management/management.ts";
import { reportOnce, type ReportRecords } from "../gateway/management/records/damaged.ts";
import { attempts } from "../gateway/management/http/attempts.ts";
import { type Failure, isFailure } from "../kit/reading/failure.ts";
import { followRecords } from "../gateway/serving/follow-records.node.ts";
import { hasOption, type Action, type Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { exitCodeFor, exitCodeOf } from "./database-exit.ts";
import { dryRunRoute, reloadRoute } from "../gateway/serving/admin-routes.node.ts";
import {
  startGatewayProcess,
  type GatewayProcess,
  type Payload,
} from "../gateway/serving/gateway-process.node.ts";
import { startRecordsProcess } from "../gateway/serving/records-process.node.ts";
import { replaceCertificates } from "../gateway/serving/certificates.node.ts";
import {
  credentialsOf,
  findSecretProblem,
  NO_CREDENTIALS,
} from "../gateway/serving/installation.node.ts";
import {
  findPortProblem,
  openListeners,
  type Listeners,
} from "../gateway/serving/listeners.node.ts";
import { loadApart, loadAtStart } from "../gateway/serving/load-apart.node.ts";
import { readWorld, type Loaded, type Sound } from "../gateway/serving/load.node.ts";
import { applyOrRetry } from "../gateway/serving/apply-or-retry.node.ts";
import { findLogProblem } from "../gateway/serving/log.node.ts";
import { openWorldWarning } from "../gateway/serving/open-world.node.ts";
import type { ServedRecords } from "../gateway/serving/records.node.ts";
import { growYoungSpace } from "../gateway/http/young.node.ts";
import { sendReady } from "../gateway/serving/ready.node.ts";
import { reload, type Live, type Reloading } from "../gateway/serving/reload.node.ts";
import {
  runAsWorker,
  isWorker,
  severalProcesses,
} from "../gateway/serving/several-processes.node.ts";
import {
  createStoreReport,
  type NoteStore,
  type StoreReport,
} from "../gateway/serving/store-report.ts";
import { findStoreProblem } from "../gateway/serving/store.node.ts";
import { printAddresses } from "./print-addresses.node.ts";
import {
  catchSignals,
  listenDuringStart,
  type Signals,
  type StartSignals,
} from "./signals.node.ts";
import { withoutSecret } from "../limiter/store/redis-address.ts";
import type { Terminal } from "./terminal.ts";

export const serve: Action = async (args, terminal, refuse) => {
  if (isWorker()) return runAsWorker();
  const { values } = args;
  const unused = ["kind", "set"].find((name) => hasOption(args, name));
  if (unused !== undefined && !values.has("config"))
    return refuse(`--${unused} needs --config; add --config FILE`);
  const signals = catchSignals();
  return serveNamed(args, terminal, signals).finally(signals.leave);
};

async function serveNamed(
  args: Arguments,
  terminal: Terminal,
  signals: Signals,
): Promise<ExitCode> {
  if (!args.values.has("config")) return serveUntilEnded(args.values, terminal, signals);
  const { namesRules, serveRules } = await import("./serve-rules.node.ts");
  const isOfRules = namesRules(args);
  if (isFailure(isOfRules)) {
    terminal.err(`weir serve: ${isOfRules.message}`);
    return EXIT.usage;
  }
  return isOfRules
    ? serveRules(args, terminal, signals)
    : serveUntilEnded(args.values, terminal, signals);
}

async function serveUntilEnded(
  values: Arguments["values"],
  terminal: Terminal,
  signals: Signals,
): Promise<ExitCode> {
  const early = listenDuringStart(signals, terminal.err);
  const loaded = await loadAtStart(values);
  for (const line of [...loaded.warnings, ...loaded.errors]) terminal.err(line);
  if (loaded.sound === null) return EXIT.usage;
  const { settings, world } = loaded.sound; // with records, `world` is null: its file is read later, if at all
  for (const line of openWorldWarning(settings.world, world)) terminal.err(line);
  const away = await findStoreProblem(settings, loaded.sound.tls);
  if (away !== null && settings["store.required"]) {
    terminal.err(
      `weir: ${away}; start the store, or set store.required: false to start without it`,
    );
    return EXIT.unreachable;
  }
  if (away !== null) terminal.err(`weir: ${away}; until a store responds, on_store_error applies`);
  const isStoreAway = away !== null;
  const { isEndWanted } = early;
  const starting: Starting = { loaded, sound: loaded.sound, isStoreAway, isEndWanted };
  const started = await start(starting, values, terminal).catch(exitCodeFor);
  if (typeof started === "number") return started;
  if (isEndWanted()) {
    await Promise.all([started.gateway.stop(), started.listeners.stop()]);
    await started.held?.records.close();
    return EXIT.passed;
  }
  const ended = untilEnded(started, terminal, signals);
  if (early.isReloadWanted()) void reload(started.reloading);
  await printAddresses(started, loaded, loaded.sound, terminal);
  sendReady({ gateway: started.gateway.origin, admin: started.listeners.admin });
  return ended;
}

interface Started {
  readonly gateway: GatewayProcess;
  readonly listeners: Listeners;
  readonly held: ServedRecords | null; // null if the world is served directly from its file
  readonly reloading: Reloading;
}

interface Starting {
  readonly loaded: Loaded;
  readonly sound: Sound;
  readonly isStoreAway: boolean; // whether an outage of the store has been reported
  readonly isEndWanted: StartSignals["isEndWanted"];
}

/** Returns an exit code if a signal ends the start, or after a problem has been reported. */
async function start(
  { loaded, sound, isStoreAway, isEndWanted }: Starting,
  flags: Arguments["values"],
  { err }: Terminal,
): Promise<Started | ExitCode> {
  if (isEndWanted()) return EXIT.passed;
  const { settings } = sound;
  const unusable =
    findSecretProblem(settings) ??
    findLogProblem(settings) ??
    (await findPortProblem(settings))?.message;
  if (unusable !== undefined) {
    err(`weir: ${unusable}`);
    return EXIT.usage;
  }
  const live: Live = { settings, credentials: NO_CREDENTIALS };
  // If records are used, this runs only after their checks, so that a start that fails creates no secrets.
  const createCredentials = (): string | null => {
    const credentials = credentialsOf(settings, err);
    if (isFailure(credentials)) return credentials.message;
    live.credentials = credentials;
    return null;
  };
  const report = reportOnce(err);
  const held = await recordsOf(loaded, live, report, createCredentials);
  if (isFailure(held)) {
    for (const problem of held.problems) err(problem);
    return exitCodeOf(held);
  }
  const problem = held === null ? createCredentials() : null;
  if (problem !== null) {
    err(`weir: ${problem}`);
    return EXIT.usage;
  }
  if (isEndWanted()) {
    await held?.records.close();
    return EXIT.passed;
  }
  const configuration = held?.inForce.configuration() ?? sound.world?.configuration;
  if (!configuration) throw new Error("there is neither a world nor a record");
  const hidden = () => Object.values(live.credentials).filter((secret) => secret !== "");
  const payload = { ...sound, configuration, hidden: hidden() };
  const store = createStoreReport(withoutSecret(settings["store.url"]), err, isStoreAway);
  const gateway = await processesFor(payload, held, live, { err, report, store });
  if (isFailure(gateway)) {
    await held?.records.close();
    err(`weir: ${gateway.message}`);
    return EXIT.usage;
  }
  growYoungSpace();
  let { certificates } = sound;
  let renewListeners: Listeners["renew"] = () => {};
  const reloading: Reloading = {
    load: () =>
      loadApart({ flags, file: loaded.file, withWorld: held === null ? "always" : "never" }),
    apply: ({ world, certificates: next }) => {
      certificates = replaceCertificates(certificates, next);
      renewListeners(certificates.admin);
      return gateway.reload({
        ...payload,
        settings: live.settings,
        certificates,
        configuration: held?.inForce.configuration() ?? world?.configuration ?? configuration,
        hidden: hidden(),
      });
    },
    log: err,
    live,
    current: loaded,
    running: Promise.resolve(),
  };
  const leave = async (): Promise<void> => {
    await gateway.stop();
    await held?.records.close();
  };
  const tries = attempts(() => micros(Date.now() * 1_000), err);
  const listeners = await openListeners({
    settings,
    certificate: certificates.admin,
    pages: gateway.pages,
    hosts: () => live.settings["admin.hosts"],
    adminRoutes: {
      routes: [reloadRoute(reloading), dryRunRoute(gateway.dryRun)],
      secret: () => live.credentials.admin,
      attempts: tries,
      log: err,
    },
    interfaces: held && {
      management: { ...held.management, ...portsOf(gateway, held, err) },
      credentials: () => live.credentials,
      attempts: tries,
      log: err,
    },
  }).catch(async (error: unknown) => {
    await leave(); // otherwise clients would be served without an admin listener
    throw error;
  });
  if (isFailure(listeners)) {
    await leave();
    err(`weir: ${listeners.message}`);
    return EXIT.usage;
  }
  renewListeners = listeners.renew;
  return { gateway, listeners, held, reloading };
}

async function processesFor(
  payload: Payload,
  served: ServedRecords | null,
  live: Live,
  {
    err: log,
    report,
    store,
  }: Pick<Terminal, "err"> & { readonly report: ReportRecords; readonly store: StoreReport },
): Promise<GatewayProcess | Failure> {
  const noteStore: NoteStore = (isAway) => store.note(process.pid, isAway);
  if (payload.settings.workers === 1)
    return served === null
      ? startGatewayProcess(payload, { noteStore })
      : startRecordsProcess(payload, { served, settings: () => live.settings, log }, { noteStore });
  const several = await severalProcesses(payload, {
    log,
    store,
    reportRecords: (line) => report(line, "a record"),
    records: served && served.records,
  });
  if (served === null || isFailure(several)) return several;
  // This process writes records, so it must also apply the changes that other gateways write.
  const leave = followRecords(served.records, served.inForce);
  return {
    ...several,
    drain: () => {
      leave();
      return several.drain();
    },
    stop: () => {
      leave();
      return several.stop();
    },
  };
}

/** Access of the management API to all gateway processes: each applies a change before its next request. */
const portsOf = (
  gateway: GatewayProcess,
  { inForce }: ServedRecords,
  report: (line: string) => void,
): Pick<Management, "budgets" | "applyChanges"> => ({
  budgets: gateway.budgets,
  applyChanges: applyOrRetry(async () => {
    const followed = await Promise.allSettled([inForce.applyChanges(), gateway.follow()]);
    for (const each of followed) if (each.status === "rejected") throw each.reason;
  }, report),
});

async function recordsOf(
  { effective, file }: Loaded,
  live: Live,
  report: ReportRecords,
  findRefusal: () => string | null,
): Promise<ServedRecords | Failure | null> {
  if (live.settings.records === "off" || effective === null) return null;
  const world = () => readWorld(live.settings, effective, file);
  const { openServedRecords } = await import("../gateway/serving/records.node.ts");
  return openServedRecords({ settings: () => live.settings, world, report, findRefusal });
}

/** The first signal lets running requests finish; the second one ends them. */
function untilEnded(
  { gateway, listeners, held, reloading }: Started,
  { err }: Terminal,
  signals: Signals,
): Promise<ExitCode> {
  return new Promise((resolve) => {
    let isEnding = false;
    signals.listen((signal) => {
      if (signal === "SIGHUP") {
        void reload(reloading);
        return;
      }
      if (isEnding) {
        err(`weir: ${signal} again: stopping at once`);
        void Promise.all([gateway.stop(), listeners.stop()]).then(() => resolve(EXIT.interrupted));
        return;
      }
      isEnding = true;
      err(
        `weir: ${signal}: draining: running requests may finish, and another signal stops at once`,
      );
      void gateway
        .drain()
        .then(() => listeners.drain())
        .then(() => held?.records.close())
        .then(() => resolve(EXIT.passed));
    });
  });
}
