// Reads the settings of a gateway process and the world that they name, from files, environment and flags.
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import type { Configuration } from "../core/config.ts";
import { line, readSettings, type InForce, type TextOfFile } from "../settings/read.ts";
import { SETTING_NAMES, settingNamed, type Settings } from "../settings/table.ts";
import { doubtful, wrongTogether } from "../settings/together.ts";
import { bareKeyWarning, NONE, readWorldFile, type WorldRead } from "../settings/world.ts";
import { parseAllowedReceivers } from "../management/http/allowed-receivers.node.ts";
import { parseTrusted } from "../gateway/http/trusted.node.ts";
import type { RedisTls } from "../store/redis-connection.node.ts";
import { readCertificates, type Certificates } from "./certificates.node.ts";
import { DEMO_WORLD } from "./demo.ts";
import { readText } from "../reading/text-file.node.ts";

export const DEFAULT_FILE = "weir.yaml";

export interface Sound {
  readonly settings: Settings; // paths are counted from the working folder
  /** Null: it was not wanted, or none is named. */
  readonly world: WorldRead | null;
  readonly tls: RedisTls;
  readonly certificates: Certificates;
  readonly isDemo: boolean;
}

/** Whether the world is read as well: always, never, or where it is served without records. */
export type WithWorld = "always" | "never" | "where it is served";

export interface Loaded {
  /** Null when there is any fault. */
  readonly sound: Sound | null;
  readonly inForce: InForce | null; // null: the file itself could not be read
  readonly file: string | null;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** `--config`, WEIR_CONFIG, or weir.yaml where there is one. */
export function settingsFile(flags: ReadonlyMap<string, string>): string | null {
  const named = flags.get("config") ?? (process.env["WEIR_CONFIG"] || null);
  return named ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : null);
}

/** A reload names the file of the start: one that is gone since is a fault, and not a demo. */
export function loadSettings(
  flags: ReadonlyMap<string, string>,
  file = settingsFile(flags),
  withWorld: WithWorld = "where it is served",
): Loaded {
  let text: TextOfFile | null = null;
  if (file !== null) {
    const read = readText(file);
    if ("fault" in read)
      return { sound: null, inForce: null, file, faults: [read.fault], warnings: [] };
    text = { file, text: read.text };
  }
  const inForce = readSettings({ file: text, environment: process.env, flags });
  if (inForce.settings === null)
    return { sound: null, inForce, file, faults: inForce.faults, warnings: inForce.warnings };
  const isDemo = file === null && isForDemo(inForce);
  const settings = withPaths(isDemo ? forDemo(inForce.settings) : inForce.settings, inForce, file);
  const isWanted = withWorld === "always" || (withWorld !== "never" && settings.records === "off");
  const world = isWanted ? readWorld(settings, inForce, file) : null;
  const tls = tlsOf(settings, inForce);
  const { certificates, ...ofCertificates } = readCertificates(settings, inForce);
  const faults = [
    ...wrongTogether(settings, inForce),
    ...strangeProxies(settings, inForce),
    ...strangeReceivers(settings, inForce),
    ...("faults" in tls ? tls.faults : []),
    ...ofCertificates.faults,
    ...(world?.faults ?? []),
  ];
  const warnings = [
    ...inForce.warnings,
    ...doubtful(settings, inForce),
    ...ofCertificates.warnings,
    ...(world?.warnings ?? []),
    ...(world !== null && settings.records === "off" && settings.world !== null
      ? bareKeyWarning(settings.world, world)
      : []),
  ];
  if (faults.length > 0 || "faults" in tls) return { sound: null, inForce, file, faults, warnings };
  const sound = { settings, world, tls, certificates, isDemo };
  return { sound, inForce, file, faults, warnings };
}

/** Nothing of it is kept, so that the next look is as the first one. */
const forDemo = (settings: Settings): Settings => ({
  ...settings,
  upstream: settings.upstream ?? "echo",
  records: settings.records === "off" ? "off" : "memory",
});

/** Nobody has said what to serve, nor where it lies. */
const isForDemo = ({ origins, said }: Pick<InForce, "origins" | "said">): boolean =>
  [origins.world, origins.data].every(({ by }) => by === "default") &&
  (origins.records.by === "default" || said.records === "off");

function strangeProxies(
  { trusted_proxies: networks }: Settings,
  { origins }: InForce,
): readonly string[] {
  const read = parseTrusted(networks);
  if (!("wrong" in read)) return [];
  const message = `"${read.wrong}" in trusted_proxies is neither an address nor a network`;
  return [line(origins.trusted_proxies.words, "SET-VALUE", message, 'write "10.0.0.0/8"')];
}

function strangeReceivers(
  { webhook_allow: receivers }: Settings,
  { origins }: InForce,
): readonly string[] {
  const read = parseAllowedReceivers(receivers);
  if (!("wrong" in read)) return [];
  const message = `"${read.wrong}" in webhook_allow is not a network with a port`;
  return [line(origins.webhook_allow.words, "SET-VALUE", message, 'write "10.0.0.0/8:443"')];
}

/** What the files of a TLS connection to the store hold. */
function tlsOf(
  settings: Settings,
  { origins }: InForce,
): RedisTls | { readonly faults: readonly string[] } {
  const faults: string[] = [];
  const textOf = (name: "ca" | "cert" | "key"): Partial<RedisTls> => {
    const file = settings[`store.tls_${name}`];
    if (file === null) return {};
    const read = readText(file);
    if ("text" in read) return { [name]: read.text };
    faults.push(`${read.fault}; ${origins[`store.tls_${name}`].words} names it`);
    return {};
  };
  const { "store.tls_servername": servername, "store.tls_verify": verify } = settings;
  const tls = { ...textOf("ca"), ...textOf("cert"), ...textOf("key"), verify };
  if (faults.length > 0) return { faults };
  try {
    createSecureContext(tls);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { faults: [`store.tls_ca, store.tls_cert and store.tls_key do not serve: ${why}`] };
  }
  return servername === null ? tls : { ...tls, servername };
}

/** A path that a file says counts from that file; one that is typed, from where one stands. */
function withPaths(settings: Settings, { origins }: InForce, file: string | null): Settings {
  const paths = SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    const isSaidThere = file !== null && origins[name].by === "file";
    if (settingNamed(name).isFile !== true || !isSaidThere || typeof value !== "string") return [];
    return [[name, relative(".", resolve(dirname(file), value))]];
  });
  return { ...settings, ...(Object.fromEntries(paths) as Partial<Settings>) };
}

/** Null: none is named, and the records begin empty. */
export function readWorld(
  settings: Settings,
  inForce: InForce,
  file: string | null,
): WorldRead | null {
  const { origins } = inForce;
  const missing = (fault: string): WorldRead => ({ ...NONE, faults: [fault] });
  if (settings.world === null) {
    if (file === null && isForDemo(inForce)) return readWorldFile(DEMO_WORLD);
    if (settings.records !== "off") return null;
    const message = "world is not set, so there is nothing to serve";
    const place = file ?? origins.records.words;
    return missing(line(place, "SET-MISSING", message, "write `world: FILE`, or say --world FILE"));
  }
  const read = readText(settings.world);
  if ("fault" in read) return missing(`${read.fault}; ${origins.world.words} names it`);
  const world = readWorldFile({ file: settings.world, text: read.text });
  if (settings.records === "off" && world.hashes.size > 0) {
    const said = "keys with secret_hash are keys of records, and records are off";
    return missing(line(settings.world, "SET-TOGETHER", said, "weir import takes them in"));
  }
  const lost = world.configuration === null ? null : lostApi(settings, world.configuration);
  if (lost === null) return world;
  const message = `upstream is not set, and the API ${lost} has no target of its own`;
  const fix = "write `upstream: http://HOST:PORT`, or `upstream: echo` to try things";
  return missing(line(file ?? settings.world, "SET-MISSING", message, fix));
}

/** An API whose requests would have nowhere to go. */
export function lostApi({ upstream }: Settings, { apis }: Configuration): string | null {
  if (upstream !== null) return null;
  const lost = [...apis.values()].find(({ target, active }) => target === null && active);
  return lost?.id ?? null;
}
