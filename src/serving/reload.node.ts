// A running gateway and new settings: all of them are taken, or nothing (bad ones change nothing). Where it serves a
// world without records, that is read again as well.
import type { Credentials } from "../management/management.ts";
import { SETTING_NAMES, settingNamed, type SettingName, type Settings } from "../settings/table.ts";
import { line } from "../settings/read.ts";
import { credentialsOf } from "./installation.node.ts";
import { lostApi, type Loaded, type Sound } from "./load.node.ts";
import { openWorldWarning } from "./open-world.node.ts";
import type { ReloadProgress } from "./reload-of-workers.ts";
import { counted, sizesOf, type Sizes } from "./sizes.ts";

/** What a reload replaces. */
export interface Live {
  settings: Settings;
  credentials: Credentials;
}

export interface Reloading {
  readonly load: () => Promise<Loaded>;
  readonly apply: (sound: Sound) => Promise<ReloadProgress | null>; // null: there is one process
  readonly log: (line: string) => void;
  readonly live: Live;
  readonly current: Loaded; // what the process was started with
  running: Promise<unknown>; // one after the other, so that the newest files are the last to be obeyed
}

export type Reloaded =
  /** `unchanged` are settings that wait for the next start. */
  | {
      readonly meta: Partial<Sizes> & {
        readonly unchanged: readonly string[];
        readonly workers?: ReloadProgress;
      };
    }
  /** The old configuration stays in force, because the new one has these. */
  | { readonly faults: readonly string[] }
  /** Not because of the new one; it says what is in force now. */
  | { readonly failure: string };

export function reload(reloading: Reloading): Promise<Reloaded> {
  const failed = (error: unknown): Reloaded => {
    const failure =
      error instanceof HalfWay
        ? `reload failed half way, and some of the gateway may serve the new configuration: ${error.message}; reload again, or start the gateway again if it still fails`
        : `reload failed, and the old configuration stays in force: ${messageOf(error)}; reload again once that is mended`;
    reloading.log(`weir: the ${failure}`);
    return { failure };
  };
  const reloaded = reloading.running.then(() => reloadNow(reloading)).catch(failed);
  reloading.running = reloaded;
  return reloaded;
}

/** Some of the gateway may have taken it. */
class HalfWay extends Error {}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

async function reloadNow(reloading: Reloading): Promise<Reloaded> {
  const { log, load, live } = reloading;
  const next = await load();
  const settings = next.sound === null ? null : obeyed(live.settings, next.sound.settings);
  const credentials = settings === null ? null : credentialsOf(settings, log);
  const faults = [...next.faults, ...(next.sound === null ? [] : notYet(reloading, next.sound))];
  if (credentials !== null && "fault" in credentials) faults.push(credentials.fault);
  const isSound = settings !== null && credentials !== null && !("fault" in credentials);
  if (next.sound === null || !isSound || faults.length > 0) {
    log("weir: the new configuration is refused, and the old one stays in force:");
    for (const said of faults) log(said);
    return { faults };
  }
  const { world } = next.sound;
  for (const said of [...next.warnings, ...openWorldWarning(next.sound.settings.world, world)])
    log(said);
  const unchanged = waiting(reloading.current, next);
  const before = { ...live };
  live.settings = settings;
  live.credentials = credentials;
  let workers: ReloadProgress | null;
  try {
    workers = await reloading.apply(next.sound);
  } catch (error) {
    Object.assign(live, before);
    throw new HalfWay(messageOf(error), { cause: error });
  }
  const configuration = next.sound.world?.configuration ?? null;
  log(
    `weir: reloaded: ${configuration === null ? "the settings" : counted(sizesOf(configuration))}`,
  );
  for (const pid of workers?.pending ?? [])
    log(`weir: worker ${pid} may still serve the old configuration, and takes the new one later`);
  for (const name of unchanged) log(`weir: ${name} has changed, which the next start will obey`);
  const sizes = configuration === null ? {} : sizesOf(configuration);
  return { meta: { ...sizes, unchanged, ...(workers !== null && { workers }) } };
}

/** Of the new settings those that need no start. */
const obeyed = (old: Settings, next: Settings): Settings => ({
  ...old,
  ...(Object.fromEntries(
    SETTING_NAMES.filter((name) => settingNamed(name).takesEffect === "reload").map((name) => [
      name,
      next[name],
    ]),
  ) as Partial<Settings>),
});

/** The new world may need an upstream that only the next start will know. */
function notYet({ live }: Reloading, { world }: Sound): readonly string[] {
  if (world === null || world.configuration === null) return [];
  const lost = lostApi(live.settings, world.configuration);
  if (lost === null) return [];
  const message = `the API ${lost} has no target of its own, and upstream waits for the next start`;
  return [line("upstream", "SET-MISSING", message)];
}

/** Other files are taken up, but a listener does not change between HTTP and TLS. */
const isOfTls = (name: SettingName): boolean => /^(?:listen|admin)\.tls_/.test(name);

/** What this process was started with stays the measure, so that a change taken back is no change. */
function waiting({ inForce: old }: Loaded, { inForce: next }: Loaded): readonly string[] {
  if (old === null || next === null) return [];
  return SETTING_NAMES.filter((name) => {
    const [before, now] = [old.said[name], next.said[name]];
    if (isOfTls(name)) return (before === null) !== (now === null);
    return (
      settingNamed(name).takesEffect === undefined && JSON.stringify(before) !== JSON.stringify(now)
    );
  });
}
