// A running gateway and a new configuration: all of it is taken, or nothing (a bad one changes nothing).
import type { Configuration } from "../../core/config.ts";
import type { Payload } from "./gateway-process.node.ts";
import { SETTING_NAMES, settingNamed } from "../../settings/table.ts";
import { line } from "../../settings/read.ts";
import { keptSecret, secretFileOf } from "./admin-secret.node.ts";
import { lostApi, type Loaded, type Sound } from "./load.node.ts";

export interface Reloading {
  readonly load: () => Promise<Loaded>;
  readonly apply: (payload: Payload) => Promise<void>;
  readonly log: (line: string) => void;
  secret: string;
  readonly current: Loaded; // what the process was started with
  running: Promise<unknown>; // one after the other, so that the newest files are the last to be obeyed
}

export interface Reloaded {
  readonly faults: readonly string[];
  /** Null where the configuration was refused; `unchanged` are settings that wait for the next start. */
  readonly meta: (Sizes & { readonly unchanged: readonly string[] }) | null;
}

export function reload(reloading: Reloading): Promise<Reloaded> {
  const reloaded = reloading.running.then(() => reloadNow(reloading));
  reloading.running = reloaded;
  return reloaded;
}

async function reloadNow(reloading: Reloading): Promise<Reloaded> {
  const { log, load } = reloading;
  const next = await load();
  const secret = next.sound === null ? null : secretOf(next.sound, log);
  const faults = [...next.faults, ...(next.sound === null ? [] : notYet(reloading, next.sound))];
  if (secret !== null && typeof secret !== "string") faults.push(secret.fault);
  if (next.sound === null || typeof secret !== "string" || faults.length > 0) {
    log("weir: the new configuration is refused, and the old one stays in force:");
    for (const said of faults) log(said);
    return { faults, meta: null };
  }
  for (const said of next.warnings) log(said);
  const { configuration } = next.sound;
  const unchanged = waiting(reloading.current, next);
  await reloading.apply(next.sound);
  reloading.secret = secret;
  log(`weir: reloaded: ${counted(configuration)}`);
  for (const name of unchanged) log(`weir: ${name} has changed, which the next start will obey`);
  return { faults: [], meta: { ...sizesOf(configuration), unchanged } };
}

/** Says so where a secret had to be made, or where others can read it. */
export function secretOf(
  { settings }: Sound,
  log: Reloading["log"],
): string | { readonly fault: string } {
  if (settings["admin.secret"] !== null) return settings["admin.secret"];
  const file = secretFileOf(settings, "admin");
  const kept = keptSecret(file);
  if ("fault" in kept) return kept;
  if (kept.warning !== null) log(`weir: ${kept.warning}`);
  if (kept.isNew) log(`weir: a secret for Admin-Auth was made; ${file} holds it`);
  return kept.secret;
}

/** The new world may need an upstream that only the next start will know. */
function notYet({ current }: Reloading, { configuration }: Sound): readonly string[] {
  const lost = current.sound === null ? null : lostApi(current.sound.settings, configuration);
  if (lost === null) return [];
  const message = `the API ${lost} has no target of its own, and upstream waits for the next start`;
  return [line("upstream", "SET-MISSING", message)];
}

/** What this process was started with stays the measure, so that a change taken back is no change. */
function waiting({ inForce: old }: Loaded, { inForce: next }: Loaded): readonly string[] {
  if (old === null || next === null) return [];
  return SETTING_NAMES.filter(
    (name) =>
      settingNamed(name).takesEffect === undefined &&
      JSON.stringify(old.said[name]) !== JSON.stringify(next.said[name]),
  );
}

export interface Sizes {
  readonly apis: number;
  readonly policies: number;
  readonly keys: number;
}

export const sizesOf = ({ apis, policies, keys }: Configuration): Sizes => ({
  apis: apis.size,
  policies: policies.size,
  keys: keys.size,
});

export const counted = ({ apis, policies, keys }: Configuration): string =>
  `${amount(apis.size, "API", "APIs")}, ${amount(policies.size, "policy", "policies")} and ${amount(keys.size, "key", "keys")}`;

const amount = (count: number, one: string, many: string): string =>
  `${count} ${count === 1 ? one : many}`;
