// Settings that are sound one by one: what is wrong with them together, and what is worth a thought.
import { hostOf } from "./of-interface.ts";
import { line, type InForce, type Origin } from "./read.ts";
import { isPostgres } from "./shapes.ts";
import type { SettingName, Settings } from "./table.ts";

export function wrongTogether(settings: Settings, inForce: InForce): readonly string[] {
  const { origins } = inForce;
  const { workers, "store.tls_cert": cert, "store.tls_key": key } = settings;
  const found: string[] = [];
  if (workers > 1) found.push(...wrongForSeveral(settings, inForce));
  if ((cert === null) !== (key === null)) {
    const there = cert === null ? "store.tls_key" : "store.tls_cert";
    const message = "a certificate for the store and its key are needed both, or none of them";
    found.push(line(origins[there].words, "SET-TOGETHER", message));
  }
  // Node refuses a server that would wait longer for a part than for the whole.
  if (settings["timeouts.request_headers"] > settings["timeouts.request"]) {
    const message =
      "timeouts.request_headers is longer than timeouts.request, which ends with the body";
    const { words } = originOfEither(inForce, "timeouts.request_headers", "timeouts.request");
    found.push(line(words, "SET-TOGETHER", message, "make the latter at least as long"));
  }
  if (settings.records !== "off") found.push(...sameBases(settings, inForce));
  return [...found, ...hostsAlone(settings, inForce), ...samePorts(settings, inForce)];
}

function wrongForSeveral(
  { workers, records, "store.url": store }: Settings,
  { origins }: InForce,
): readonly string[] {
  const found: string[] = [];
  if (store === "memory") {
    const message = `${workers} workers would each count in a memory of their own and multiply every limit by ${workers}`;
    const fix = "set store.url to a store that they share, such as redis://127.0.0.1:6379";
    found.push(line(origins.workers.words, "SET-TOGETHER", message, fix));
  }
  if (records !== "off" && !isPostgres(records)) {
    const message = `${workers} workers cannot share records: ${records}, which serves one process`;
    const fix = "set records to postgres://..., or to off and serve the world as it is";
    found.push(line(origins.workers.words, "SET-TOGETHER", message, fix));
  }
  return found;
}

const APART = ["dashboard", "studio", "broker", "portal"] as const;
const NAMES = ["admin", ...APART] as const;

/** 0 and what is not set are each as good as a port of its own: 0 takes one that nobody has. */
function portOf(settings: Settings, name: (typeof NAMES)[number]): string {
  const port = settings[`${name}.port`];
  return port === null
    ? `${settings["admin.host"]} ${settings["admin.port"]}`
    : `${hostOf(settings, name)} ${port}`;
}

/** The origin of the one that is no default. */
const originOfEither = ({ origins }: InForce, one: SettingName, other: SettingName): Origin =>
  origins[[one, other].find((each) => origins[each].by !== "default") ?? one];

function sameBases(settings: Settings, inForce: InForce): readonly string[] {
  const found: string[] = [];
  for (const [index, name] of NAMES.entries())
    for (const other of NAMES.slice(0, index)) {
      const isShared = isOwn(settings, name) || isOwn(settings, other);
      const together = !isShared && portOf(settings, name) === portOf(settings, other);
      if (!together || settings[`${name}.base`] !== settings[`${other}.base`]) continue;
      const message = `${name} and ${other} would both be at ${settings[`${name}.base`]} of one port`;
      const fix = "give one of them another base, or a port of its own";
      const { words } = originOfEither(inForce, `${name}.base`, `${other}.base`);
      found.push(line(words, "SET-TOGETHER", message, fix));
    }
  return found;
}

/** A host that nothing listens at. */
const hostsAlone = (settings: Settings, { origins }: InForce): readonly string[] =>
  APART.filter(
    (name) => settings[`${name}.host`] !== null && settings[`${name}.port`] === null,
  ).map((name) => {
    const message = `${name}.host says where the port of ${name} is, and it has none`;
    return line(origins[`${name}.host`].words, "SET-TOGETHER", message, `set ${name}.port`);
  });

const isOwn = (settings: Settings, name: (typeof NAMES)[number]): boolean =>
  name !== "admin" && settings[`${name}.port`] === 0;

function samePorts(settings: Settings, { origins }: InForce): readonly string[] {
  const { "listen.port": clients, "listen.host": here } = settings;
  if (clients === 0) return [];
  return NAMES.filter(
    (name) => settings[`${name}.port`] === clients && hostOf(settings, name) === here,
  ).map((name) => {
    const message = `${name}.port is ${clients}, where clients of the APIs come in`;
    const said: SettingName = `${name}.port`;
    const { words } = origins[origins[said].by === "default" ? "listen.port" : said];
    return line(words, "SET-TOGETHER", message, "take another one for either");
  });
}

const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|::1|localhost)$/;

export function doubtful(settings: Settings, { origins }: InForce): readonly string[] {
  return NAMES.flatMap((name): readonly string[] => {
    const host = settings[`${name}.host`];
    if (host === null || LOOPBACK.test(host) || settings["admin.tls_cert"] !== null) return [];
    const what = name === "admin" ? "the admin listener" : `the ${name} interface`;
    const message = `${what} is at ${host}, and its secret crosses the network unencrypted`;
    const fix =
      "set admin.tls_cert, keep it on 127.0.0.1, or let only a network that you trust reach it";
    return [line(origins[`${name}.host`].words, "SET-OPEN-ADMIN", message, fix)];
  });
}
