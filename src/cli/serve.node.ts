// The gateway as a process: starts it, says where it listens, and ends or reloads it when it is told to.
import { micros } from "../core/units.ts";
import { holdRecords } from "./serving/records.node.ts";
import { attempts } from "../servers/attempts.ts";
import type { Action, Arguments } from "./arguments.ts";
import { EXIT, type ExitCode } from "./exit.ts";
import { secretFileOf } from "./serving/admin-secret.node.ts";
import { dryRunRoute, reloadRoute } from "./serving/admin-routes.node.ts";
import { DEMO_NOTES, demoLines, demoQuestion } from "./serving/demo.ts";
import { gatewayProcess, type GatewayProcess } from "./serving/gateway-process.node.ts";
import { openListeners, type Listeners } from "./serving/listeners.node.ts";
import { loadApart } from "./serving/load-apart.node.ts";
import { loadSettings, type Loaded, type Sound } from "./serving/load.node.ts";
import { counted, reload, secretOf, type Reloading } from "./serving/reload.node.ts";
import { beWorker, isWorker, severalProcesses } from "./serving/several-processes.node.ts";
import { isAway } from "./serving/store.node.ts";
import type { Terminal } from "./terminal.ts";

export const serve: Action = async ({ values }, terminal) => {
  if (isWorker()) return beWorker();
  const loaded = loadSettings(values);
  for (const said of [...loaded.warnings, ...loaded.faults]) terminal.err(said);
  if (loaded.sound === null) return EXIT.usage;
  const away = await isAway(loaded.sound.settings, loaded.sound.tls);
  if (away !== null && loaded.sound.settings["store.required"]) {
    terminal.err(`weir: ${away}; store.required: false starts without it`);
    return EXIT.unreachable;
  }
  if (away !== null) terminal.err(`weir: ${away}; until it does, on_store_error decides`);
  const started = await start(loaded, loaded.sound, values, terminal);
  if (started === null) return EXIT.usage;
  // Whoever has read where it listens may send a signal: by then it has to be heard.
  const ended = untilEnded(started, terminal);
  tellWhere(started, loaded, loaded.sound, terminal);
  return ended;
};

interface Started {
  readonly gateway: GatewayProcess;
  readonly admin: Listeners;
  readonly reloading: Reloading;
}

/** Null where something keeps it from starting, which has been told then. */
async function start(
  loaded: Loaded,
  sound: Sound,
  flags: Arguments["values"],
  { err }: Terminal,
): Promise<Started | null> {
  const { settings } = sound;
  const secret = secretOf(sound, err);
  if (typeof secret !== "string") {
    err(`weir: ${secret.fault}`);
    return null;
  }
  const held = await holdRecords(settings, sound.world, (said) => err(`weir: ${said}`));
  if (held !== null && "fault" in held) {
    err(`weir: ${held.fault}`);
    return null;
  }
  const payload =
    held === null
      ? sound
      : { ...sound, configuration: held.inForce.configuration(), keys: held.inForce };
  const gateway =
    settings.workers === 1 ? await gatewayProcess(payload) : await severalProcesses(sound, err);
  if (typeof gateway === "string") {
    err(`weir: ${gateway}`);
    return null;
  }
  const reloading: Reloading = {
    load: () => loadApart({ flags, file: loaded.file }),
    apply: gateway.reload,
    log: err,
    secret,
    current: loaded,
    running: Promise.resolve(),
  };
  if (held !== null)
    held.inForce.listen(({ configuration, forgotten }) => {
      if (configuration !== null) void gateway.reload({ ...sound, configuration });
      gateway.forget(forgotten);
    });
  const tries = attempts(() => micros(Date.now() * 1_000));
  const admin = await openListeners({
    settings,
    pages: gateway.pages,
    doors: {
      routes: [reloadRoute(reloading), dryRunRoute(gateway.dryRun)],
      secret: () => reloading.secret,
      attempts: tries,
    },
    interfaces:
      held === null
        ? null
        : {
            management: { ...held.management, budgets: gateway.budgets },
            credentials: () => ({
              studio: reloading.secret,
              dashboard: reloading.secret,
              admin: reloading.secret,
              broker: reloading.secret,
              portal: reloading.secret,
            }),
            attempts: tries,
          },
  });
  if (typeof admin === "string") {
    await gateway.stop();
    err(`weir: ${admin}`);
    return null;
  }
  return { gateway, admin, reloading };
}

function tellWhere(
  { gateway, admin }: Started,
  { file }: Loaded,
  { settings, configuration, isDemo }: Sound,
  { err }: Terminal,
): void {
  const { upstream } = settings;
  const where = upstream === "echo" ? "an echo of its own" : (upstream ?? "the target of each API");
  err(`gateway  ${gateway.origin}, to ${where}`);
  err(`admin    ${admin.admin}`);
  if (!isDemo) {
    err(
      `serving  ${counted(configuration)} of ${settings.world} (settings of ${file ?? "no file"})`,
    );
    return;
  }
  err("serving  a demo; docs/serving.md says how to serve what is yours");
  err("");
  err("Try these, in this order. The last one is refused with 429.");
  err("");
  const lines = demoLines(gateway.origin);
  const wide = Math.max(...lines.map((each) => each.length));
  for (const [index, each] of lines.entries())
    err(`  ${each.padEnd(wide)}  # ${DEMO_NOTES[index]}`);
  if (settings["admin.secret"] !== null) return;
  err("");
  err("And this one says why, without asking for anything:");
  err("");
  err(`  ${demoQuestion(admin.admin, secretFileOf(settings, "admin"))}`);
}

/** The first signal lets running requests end, the second one does not. */
function untilEnded({ gateway, admin, reloading }: Started, { err }: Terminal): Promise<ExitCode> {
  process.on("SIGHUP", () => void reload(reloading));
  return new Promise((resolve) => {
    let isEnding = false;
    const end = (signal: NodeJS.Signals): void => {
      if (isEnding) {
        err(`weir: ${signal} again: stopping at once`);
        void Promise.all([gateway.stop(), admin.stop()]).then(() => resolve(EXIT.interrupted));
        return;
      }
      isEnding = true;
      err(`weir: ${signal}: running requests may end, and another signal stops at once`);
      void gateway
        .drain()
        .then(() => admin.drain())
        .then(() => resolve(EXIT.passed));
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
  });
}
