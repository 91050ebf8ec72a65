// Conflicts between settings that are valid by themselves, and warnings about risks.
import { hostOf } from "./interface-settings.ts";
import { formatError, formatWarning, type EffectiveSettings, type SettingOrigin } from "./read.ts";
import { isPostgres } from "./shapes.ts";
import type { SettingName, Settings } from "./table.ts";

export function conflictsIn(settings: Settings, inForce: EffectiveSettings): readonly string[] {
  const { origins } = inForce;
  const { workers, "store.tls_cert": cert, "store.tls_key": key } = settings;
  const conflicts: string[] = [];
  if (workers > 1) conflicts.push(...workerConflictsIn(settings, inForce));
  if ((cert === null) !== (key === null)) {
    const givenSetting = cert === null ? "store.tls_key" : "store.tls_cert";
    const message =
      "a client certificate for the store needs both store.tls_cert and store.tls_key";
    conflicts.push(formatError(origins[givenSetting].words, "SET-TOGETHER", message));
  }
  // Node rejects a server whose time-out for headers is longer than that for the whole request.
  if (settings["timeouts.request_headers"] > settings["timeouts.request"]) {
    const message =
      "timeouts.request_headers is longer than timeouts.request, which ends with the body";
    const { words } = originOfEither(inForce, "timeouts.request_headers", "timeouts.request");
    conflicts.push(
      formatError(
        words,
        "SET-TOGETHER",
        message,
        "raise timeouts.request or lower timeouts.request_headers",
      ),
    );
  }
  if (settings.records !== "off") conflicts.push(...baseConflictsIn(settings, inForce));
  return [
    ...conflicts,
    ...hostsWithoutPortIn(settings, inForce),
    ...portConflictsIn(settings, inForce),
  ];
}

function workerConflictsIn(
  { workers, records, "store.url": store }: Settings,
  { origins }: EffectiveSettings,
): readonly string[] {
  const conflicts: string[] = [];
  if (store === "memory") {
    const message = `${workers} workers would each count in their own memory and multiply every limit by ${workers}`;
    const fix = "set store.url to a store that they share, such as redis://127.0.0.1:6379";
    conflicts.push(formatError(origins.workers.words, "SET-TOGETHER", message, fix));
  }
  if (records !== "off" && !isPostgres(records)) {
    const message = `${workers} workers cannot share records: ${records}, which serves one process`;
    const fix = "set records to postgres://..., or to off to serve the world file";
    conflicts.push(formatError(origins.workers.words, "SET-TOGETHER", message, fix));
  }
  return conflicts;
}

const SEPARABLE = ["dashboard", "studio", "broker", "portal"] as const;
const NAMES = ["admin", ...SEPARABLE] as const;

/** The host and port of a management API. If the API has no port of its own, those of the admin listener. */
function portOf(settings: Settings, name: (typeof NAMES)[number]): string {
  const port = settings[`${name}.port`];
  return port === null
    ? `${settings["admin.host"]} ${settings["admin.port"]}`
    : `${hostOf(settings, name)} ${port}`;
}

/** The origin of `one`. If `one` has its default and `other` was set, the origin of `other`. */
const originOfEither = (
  { origins }: EffectiveSettings,
  one: SettingName,
  other: SettingName,
): SettingOrigin => origins[[one, other].find((each) => origins[each].by !== "default") ?? one];

function baseConflictsIn(settings: Settings, inForce: EffectiveSettings): readonly string[] {
  const conflicts: string[] = [];
  for (const [index, name] of NAMES.entries())
    for (const other of NAMES.slice(0, index)) {
      const isSeparate = hasRandomPort(settings, name) || hasRandomPort(settings, other);
      const isSamePort = !isSeparate && portOf(settings, name) === portOf(settings, other);
      if (!isSamePort || settings[`${name}.base`] !== settings[`${other}.base`]) continue;
      const message = `${name} and ${other} would both be at ${settings[`${name}.base`]} of one port`;
      const fix = "give one of them another base, or a port of its own";
      const { words } = originOfEither(inForce, `${name}.base`, `${other}.base`);
      conflicts.push(formatError(words, "SET-TOGETHER", message, fix));
    }
  return conflicts;
}

/** Errors about management APIs with a host but without a port. */
const hostsWithoutPortIn = (
  settings: Settings,
  { origins }: EffectiveSettings,
): readonly string[] =>
  SEPARABLE.filter(
    (name) => settings[`${name}.host`] !== null && settings[`${name}.port`] === null,
  ).map((name) => {
    const message = `${name}.host is set, but ${name}.port is not`;
    return formatError(origins[`${name}.host`].words, "SET-TOGETHER", message, `set ${name}.port`);
  });

const hasRandomPort = (settings: Settings, name: (typeof NAMES)[number]): boolean =>
  name !== "admin" && settings[`${name}.port`] === 0;

function portConflictsIn(settings: Settings, { origins }: EffectiveSettings): readonly string[] {
  const { "listen.port": clients, "listen.host": here } = settings;
  if (clients === 0) return [];
  return NAMES.filter(
    (name) => settings[`${name}.port`] === clients && hostOf(settings, name) === here,
  ).map((name) => {
    const message = `${name}.port is ${clients}, which is also the port for clients`;
    const portSetting: SettingName = `${name}.port`;
    const { words } = origins[origins[portSetting].by === "default" ? "listen.port" : portSetting];
    return formatError(words, "SET-TOGETHER", message, "change one of them");
  });
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

export function openListenersIn(
  settings: Settings,
  { origins }: EffectiveSettings,
): readonly string[] {
  return NAMES.flatMap((name): readonly string[] => {
    const host = settings[`${name}.host`];
    if (host === null || LOOPBACK.test(host) || settings["admin.tls_cert"] !== null) return [];
    const what = name === "admin" ? "the admin listener" : `the ${name} interface`;
    const message = `${what} is at ${host}, and its secret crosses the network unencrypted`;
    const fix =
      "set admin.tls_cert, keep it on 127.0.0.1, or allow only a network that you trust to reach it";
    return [formatWarning(origins[`${name}.host`].words, "SET-OPEN-ADMIN", message, fix)];
  });
}
