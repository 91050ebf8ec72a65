// Reads the settings of a gateway process, and the world that they name, from files, environment and flags.
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { createSecureContext } from "node:tls";
import { commandOf } from "../../kit/command-line.ts";
import type { Configuration } from "../../limiter/core/config.ts";
import { Failure, isFailure } from "../../kit/reading/failure.ts";
import {
  formatError,
  readSettings,
  type EffectiveSettings,
  type TextOfFile,
} from "../settings/read.ts";
import { SETTING_NAMES, settingNamed, type Settings } from "../settings/table.ts";
import { openListenersIn, conflictsIn } from "../settings/conflicts.ts";
import { bareKeyWarning, UNREAD_WORLD, readWorldFile, type WorldRead } from "../settings/world.ts";
import { parseAllowedReceivers } from "../management/http/allowed-receivers.node.ts";
import { parseTrusted } from "../http/trusted.node.ts";
import type { RedisTls } from "../../limiter/store/redis-connection.node.ts";
import { readCertificates, type Certificates } from "./certificates.node.ts";
import { DEMO_WORLD } from "./demo.ts";
import { readText } from "../../kit/reading/text-file.node.ts";

const DEFAULT_FILE = "weir.yaml";

export interface Sound {
  readonly settings: Settings; // paths are relative to the working folder
  /** Null: the world was not requested, or no setting names one. */
  readonly world: WorldRead | null;
  readonly tls: RedisTls;
  readonly certificates: Certificates;
  readonly isDemo: boolean;
}

/** Whether the world is read too. "where it is served": only if the gateway serves the world without records. */
export type WithWorld = "always" | "never" | "where it is served";

export interface Loaded {
  /** Null if there is any error. */
  readonly sound: Sound | null;
  readonly effective: EffectiveSettings | null; // null: the settings file is unreadable
  readonly file: string | null;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** The settings file: `--config`, WEIR_CONFIG, or weir.yaml if that exists. */
function settingsFile(flags: ReadonlyMap<string, string>): string | null {
  const named = flags.get("config") ?? (process.env["WEIR_CONFIG"] || null);
  return named ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : null);
}

/** Reads settings. A reload passes the `file` of the start: if it is missing now, loading fails and starts no demo. */
export function loadSettings(
  flags: ReadonlyMap<string, string>,
  file = settingsFile(flags),
  withWorld: WithWorld = "where it is served",
): Loaded {
  let text: TextOfFile | null = null;
  if (file !== null) {
    const read = readText(file);
    if (isFailure(read))
      return { sound: null, effective: null, file, errors: read.problems, warnings: [] };
    text = { file, text: read };
  }
  const effective = readSettings({ file: text, environment: process.env, flags });
  if (effective.settings === null)
    return { sound: null, effective, file, errors: effective.errors, warnings: effective.warnings };
  const isDemo = file === null && isDemoStart(effective);
  const settings = withPaths(
    isDemo ? withDemoDefaults(effective.settings) : effective.settings,
    effective,
    file,
  );
  const isWanted = withWorld === "always" || (withWorld !== "never" && settings.records === "off");
  const world = isWanted ? readWorld(settings, effective, file) : null;
  const tls = tlsOf(settings, effective);
  const { certificates, ...ofCertificates } = readCertificates(settings, effective);
  const errors = [
    ...conflictsIn(settings, effective),
    ...proxyErrorsIn(settings, effective),
    ...receiverErrorsIn(settings, effective),
    ...(isFailure(tls) ? tls.problems : []),
    ...ofCertificates.errors,
    ...(world?.errors ?? []),
  ];
  const warnings = [
    ...effective.warnings,
    ...openListenersIn(settings, effective),
    ...ofCertificates.warnings,
    ...(world?.warnings ?? []),
    ...(world !== null && settings.records === "off" && settings.world !== null
      ? bareKeyWarning(settings.world, world)
      : []),
  ];
  if (errors.length > 0 || isFailure(tls))
    return { sound: null, effective, file, errors, warnings };
  const sound = { settings, world, tls, certificates, isDemo };
  return { sound, effective, file, errors, warnings };
}

/** A demo stores its records in memory, so that the next demo begins like the first. */
const withDemoDefaults = (settings: Settings): Settings => ({
  ...settings,
  upstream: settings.upstream ?? "echo",
  records: settings.records === "off" ? "off" : "memory",
});

/** Whether no setting names a world or a place for records. */
const isDemoStart = ({
  origins,
  rawValues,
}: Pick<EffectiveSettings, "origins" | "rawValues">): boolean =>
  [origins.world, origins.data].every(({ by }) => by === "default") &&
  (origins.records.by === "default" || rawValues.records === "off");

function proxyErrorsIn(
  { trusted_proxies: networks }: Settings,
  { origins }: EffectiveSettings,
): readonly string[] {
  const read = parseTrusted(networks);
  if (!isFailure(read)) return [];
  const place = origins.trusted_proxies.words;
  return [formatError(place, "SET-VALUE", read.message, 'write "10.0.0.0/8"')];
}

function receiverErrorsIn(
  { webhook_allow: receivers }: Settings,
  { origins }: EffectiveSettings,
): readonly string[] {
  const read = parseAllowedReceivers(receivers);
  if (!isFailure(read)) return [];
  const place = origins.webhook_allow.words;
  return [formatError(place, "SET-VALUE", read.message, 'write "10.0.0.0/8:443"')];
}

/** Reads the files for TLS to the store. */
function tlsOf(settings: Settings, { origins }: EffectiveSettings): RedisTls | Failure {
  const errors: string[] = [];
  const textOf = (name: "ca" | "cert" | "key"): Partial<RedisTls> => {
    const file = settings[`store.tls_${name}`];
    if (file === null) return {};
    const read = readText(file);
    if (!isFailure(read)) return { [name]: read };
    errors.push(`${read.message}; ${origins[`store.tls_${name}`].words} names it`);
    return {};
  };
  const { "store.tls_servername": servername, "store.tls_verify": verify } = settings;
  const tls = { ...textOf("ca"), ...textOf("cert"), ...textOf("key"), verify };
  if (errors.length > 0) return new Failure(...errors);
  try {
    createSecureContext(tls);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return new Failure(`store.tls_ca, store.tls_cert and store.tls_key cannot be used: ${why}`);
  }
  return servername === null ? tls : { ...tls, servername };
}

/** Resolves paths: in a settings file they are relative to the file, in a flag or variable to the working folder. */
function withPaths(
  settings: Settings,
  { origins }: EffectiveSettings,
  file: string | null,
): Settings {
  const paths = SETTING_NAMES.flatMap((name) => {
    const value = settings[name];
    const isFromFile = file !== null && origins[name].by === "file";
    if (settingNamed(name).isFile !== true || !isFromFile || typeof value !== "string") return [];
    return [[name, relative(".", resolve(dirname(file), value))]];
  });
  return { ...settings, ...(Object.fromEntries(paths) as Partial<Settings>) };
}

/** Reads the world. Null: no setting names one, so the records begin empty. */
export function readWorld(
  settings: Settings,
  effective: EffectiveSettings,
  file: string | null,
): WorldRead | null {
  const { origins } = effective;
  const withError = (error: string): WorldRead => ({ ...UNREAD_WORLD, errors: [error] });
  if (settings.world === null) {
    if (file === null && isDemoStart(effective)) return readWorldFile(DEMO_WORLD);
    if (settings.records !== "off") return null;
    const message = "world is not set, so there is nothing to serve";
    const place = file ?? origins.records.words;
    return withError(
      formatError(place, "SET-MISSING", message, "write `world: FILE`, or add --world FILE"),
    );
  }
  const read = readText(settings.world);
  if (isFailure(read)) return withError(`${read.message}; ${origins.world.words} names it`);
  const world = readWorldFile({ file: settings.world, text: read });
  if (settings.records === "off" && world.hashes.size > 0) {
    const problem = "keys with secret_hash need records, and records are off";
    return withError(
      formatError(
        settings.world,
        "SET-TOGETHER",
        problem,
        `import them with ${commandOf(["import", settings.world])}`,
      ),
    );
  }
  const unservedApi =
    world.configuration === null ? null : findApiWithoutTarget(settings, world.configuration);
  if (unservedApi === null) return world;
  const message = `upstream is not set, and the API ${unservedApi} has no target of its own`;
  const fix = "write `upstream: http://HOST:PORT`, or `upstream: echo` to try things";
  return withError(formatError(file ?? settings.world, "SET-MISSING", message, fix));
}

/** The id of an API whose requests would have no upstream; null: there is none. */
export function findApiWithoutTarget(
  { upstream }: Settings,
  { apis }: Configuration,
): string | null {
  if (upstream !== null) return null;
  const api = [...apis.values()].find(({ target, active }) => target === null && active);
  return api?.id ?? null;
}
