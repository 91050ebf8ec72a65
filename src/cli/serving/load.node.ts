// Reads the settings of a gateway process and the world that they name, from files, environment and flags.
import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import type { Configuration } from "../../core/config.ts";
import { line, readSettings, type InForce, type TextOfFile } from "../../settings/read.ts";
import { SETTINGS, type SettingName, type Settings } from "../../settings/table.ts";
import { readWorldFile, type WorldRead } from "../../settings/world.ts";
import { DEMO_WORLD } from "./demo.ts";
import { readText } from "../text-file.node.ts";

export const DEFAULT_FILE = "weir.yaml";

export interface Sound {
  readonly settings: Settings; // paths are counted from the working folder
  readonly configuration: Configuration;
  readonly isDemo: boolean;
}

export interface Loaded {
  /** Null when there is any fault. */
  readonly sound: Sound | null;
  readonly inForce: InForce | null; // null: the file itself could not be read
  readonly file: string | null;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

/** The file is `--config`, WEIR_CONFIG, or weir.yaml where there is one. */
export function loadSettings(
  flags: ReadonlyMap<string, string>,
  environment: NodeJS.ProcessEnv = process.env,
): Loaded {
  const named = flags.get("config") ?? (environment["WEIR_CONFIG"] || null);
  const file = named ?? (existsSync(DEFAULT_FILE) ? DEFAULT_FILE : null);
  let text: TextOfFile | null = null;
  if (file !== null) {
    const read = readText(file);
    if ("fault" in read)
      return { sound: null, inForce: null, file, faults: [read.fault], warnings: [] };
    text = { file, text: read.text };
  }
  const inForce = readSettings({ file: text, environment, flags });
  const settings = inForce.settings === null ? null : withPaths(inForce.settings, inForce, file);
  const world = settings === null ? null : worldOf(settings, file);
  const faults = [...inForce.faults, ...(world?.faults ?? [])];
  const warnings = [...inForce.warnings, ...(world?.warnings ?? [])];
  const configuration = world?.configuration ?? null;
  if (faults.length > 0 || settings === null || configuration === null)
    return { sound: null, inForce, file, faults, warnings };
  const isDemo = settings.world === null;
  const echoing = isDemo && settings.upstream === null ? { upstream: "echo" } : {};
  const sound: Sound = { settings: { ...settings, ...echoing }, configuration, isDemo };
  return { sound, inForce, file, faults, warnings };
}

/** A path that a file says counts from that file; one that is typed, from where one stands. */
function withPaths(settings: Settings, { origins }: InForce, file: string | null): Settings {
  const paths = Object.entries(SETTINGS).flatMap(([name, { isFile }]) => {
    const value = settings[name as SettingName];
    if (!isFile || file === null || typeof value !== "string") return [];
    if (origins[name as SettingName].by !== "file") return [];
    return [[name, relative(".", resolve(dirname(file), value))]];
  });
  return { ...settings, ...(Object.fromEntries(paths) as Partial<Settings>) };
}

function worldOf(settings: Settings, file: string | null): WorldRead {
  const missing = (fault: string): WorldRead => ({
    configuration: null,
    faults: [fault],
    warnings: [],
  });
  if (settings.world === null) {
    if (file === null) return readWorldFile(DEMO_WORLD);
    const message = "world is not set, so there is nothing to serve";
    return missing(line(file, "SET-MISSING", message, "write `world: FILE`, or say --world FILE"));
  }
  const read = readText(settings.world);
  if ("fault" in read) return missing(`${read.fault} (world of the settings)`);
  const world = readWorldFile({ file: settings.world, text: read.text });
  const apis = [...(world.configuration?.apis.values() ?? [])];
  const lost = apis.find(({ target, active }) => target === null && active);
  if (settings.upstream !== null || lost === undefined) return world;
  const message = `upstream is not set, and the API ${lost.id} has no target of its own`;
  const fix = "write `upstream: http://HOST:PORT`, or `upstream: echo` to try things";
  return missing(line(file ?? settings.world, "SET-MISSING", message, fix));
}
