// Applies new settings to a running gateway. If any setting has an error, nothing changes. If a world is served without
// records, it is read again too.
import type { Credentials } from "../management/management.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import { SETTING_NAMES, settingNamed, type SettingName, type Settings } from "../settings/table.ts";
import { formatError } from "../settings/read.ts";
import { credentialsOf } from "./installation.node.ts";
import { findApiWithoutTarget, type Loaded, type Sound } from "./load.node.ts";
import { openWorldWarning } from "./open-world.node.ts";
import type { ReloadProgress } from "./reload-of-workers.ts";
import { formatSizes, sizesOf, type Sizes } from "./sizes.ts";

/** The values that a reload replaces. */
export interface Live {
  settings: Settings;
  credentials: Credentials;
}

export interface Reloading {
  readonly load: () => Promise<Loaded>;
  readonly apply: (sound: Sound) => Promise<ReloadProgress | null>; // null: there is one process
  readonly log: (line: string) => void;
  readonly live: Live;
  readonly current: Loaded; // the settings at the start
  running: Promise<unknown>; // reloads run one after another, so that the newest files are applied last
}

interface Reloaded extends Partial<Sizes> {
  readonly unchanged: readonly string[]; // settings that take effect at the next start
  readonly workers?: ReloadProgress;
}

/** The new configuration has these errors, so the old one stays in effect. */
export class RejectedConfiguration extends Failure {}

/** Reloads. A failure is a `RejectedConfiguration`, or has another cause and names the effective configuration. */
export function reload(reloading: Reloading): Promise<Reloaded | Failure> {
  const reportFailure = (error: unknown): Failure => {
    const message =
      error instanceof PartialReload
        ? `reload failed in part, and some processes may serve the new configuration: ${error.message}; reload again, or restart the gateway if it still fails`
        : `reload failed, and the old configuration stays in effect: ${messageOf(error)}; correct that, then reload again`;
    reloading.log(`weir: the ${message}`);
    return new Failure(message);
  };
  const reloaded = reloading.running.then(() => reloadNow(reloading)).catch(reportFailure);
  reloading.running = reloaded;
  return reloaded;
}

/** Some processes may have applied the new configuration, and others not. */
class PartialReload extends Error {}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function reloadNow(reloading: Reloading): Promise<Reloaded | Failure> {
  const { log, load, live } = reloading;
  const next = await load();
  const settings = next.sound === null ? null : withReloadable(live.settings, next.sound.settings);
  const credentials = settings === null ? null : credentialsOf(settings, log);
  const errors = [
    ...next.errors,
    ...(next.sound === null ? [] : upstreamErrorsIn(reloading, next.sound)),
  ];
  if (isFailure(credentials)) errors.push(credentials.message);
  const isSound = settings !== null && credentials !== null && !isFailure(credentials);
  if (next.sound === null || !isSound || errors.length > 0) {
    log("weir: the new configuration is rejected, and the old one stays in effect:");
    for (const error of errors) log(error);
    return new RejectedConfiguration(...errors);
  }
  const { world } = next.sound;
  for (const warning of [...next.warnings, ...openWorldWarning(next.sound.settings.world, world)])
    log(warning);
  const unchanged = changesAtStart(reloading.current, next);
  const before = { ...live };
  live.settings = settings;
  live.credentials = credentials;
  let workers: ReloadProgress | null;
  try {
    workers = await reloading.apply(next.sound);
  } catch (error) {
    Object.assign(live, before);
    throw new PartialReload(messageOf(error), { cause: error });
  }
  const configuration = next.sound.world?.configuration ?? null;
  log(
    `weir: reloaded: ${configuration === null ? "the settings" : formatSizes(sizesOf(configuration))}`,
  );
  for (const pid of workers?.pending ?? [])
    log(`weir: worker ${pid} may still serve the old configuration, and applies the new one later`);
  for (const name of unchanged) log(`weir: ${name} has changed; restart the gateway to apply it`);
  const sizes = configuration === null ? {} : sizesOf(configuration);
  return { ...sizes, unchanged, ...(workers !== null && { workers }) };
}

/** The old settings, with those new ones that take effect on a reload. */
const withReloadable = (old: Settings, next: Settings): Settings => ({
  ...old,
  ...(Object.fromEntries(
    SETTING_NAMES.filter((name) => settingNamed(name).takesEffect === "reload").map((name) => [
      name,
      next[name],
    ]),
  ) as Partial<Settings>),
});

/** Errors of a world that needs an upstream if none is set: a reload does not change `upstream`. */
function upstreamErrorsIn({ live }: Reloading, { world }: Sound): readonly string[] {
  if (world === null || world.configuration === null) return [];
  const api = findApiWithoutTarget(live.settings, world.configuration);
  if (api === null) return [];
  const message = `the API ${api} has no target of its own, and upstream changes only at the next start`;
  return [formatError("upstream", "SET-MISSING", message)];
}

/** Whether a setting names a TLS file. A reload reads the file again, but cannot turn TLS of a listener on or off. */
const isOfTls = (name: SettingName): boolean => /^(?:listen|admin)\.tls_/.test(name);

/** The settings that differ from those at the start and need a restart. A change that was undone is left out. */
function changesAtStart(
  { effective: old }: Loaded,
  { effective: next }: Loaded,
): readonly string[] {
  if (old === null || next === null) return [];
  return SETTING_NAMES.filter((name) => {
    const [before, now] = [old.rawValues[name], next.rawValues[name]];
    if (isOfTls(name)) return (before === null) !== (now === null);
    return (
      settingNamed(name).takesEffect === undefined && JSON.stringify(before) !== JSON.stringify(now)
    );
  });
}
