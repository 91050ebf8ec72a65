// Every setting of a gateway process, once: the file, the environment, the command line, the schema, help
// and the documentation are all derived from this table.
import { listOf, oneOf, text } from "../../kit/reading/shape.ts";
import { durationAbove0 } from "../../kit/reading/duration.ts";
import { withoutSecret } from "../../limiter/store/redis-address.ts";
import { HEADER_SETTINGS } from "./headers.ts";
import { interfaceSettings, interfaceSettingsWithPort } from "./interface-settings.ts";
import { RECORD_SETTINGS } from "./record-settings.ts";
import { PROTECTION } from "./protection.ts";
import { TLS } from "./tls.ts";
import { UPSTREAMS } from "./upstreams.ts";
import { hideSecret, setting, type Setting } from "./setting.ts";
import {
  allowed,
  count,
  installationKey,
  pageSize,
  port,
  prefix,
  records,
  storeUrl,
  timeout,
  upstream,
  workers,
  yesOrNo,
} from "./shapes.ts";

const SETTINGS = {
  world: setting(text, null, {
    value: "FILE",
    doc: "File with APIs, policies, keys and gateway options. It is imported once, into empty records. If `records` is off, a reload reads it again.",
    flag: "world",
    flagHelp:
      "read APIs, policies, keys and gateway options from FILE: once, into empty records, or with records off at each reload",
    isFile: true,
    takesEffect: "reload",
  }),
  records: setting(records, "sqlite", {
    value: "WHERE",
    doc: "Where records are stored (APIs, policies, keys, users and webhooks): sqlite (a file in the data folder), memory, or postgres://USER@HOST/NAME. off serves the world file without management.",
    flag: "records",
    flagHelp:
      "store records in sqlite (a file in the data folder), memory or postgres://USER@HOST/NAME; off: serve the world file without management",
    redact: withoutSecret,
  }),
  data: setting(text, ".weir", {
    value: "DIR",
    doc: "Folder for records and secrets.",
    flag: "data",
    flagHelp: "store records and secrets in the folder DIR",
    isFile: true,
  }),
  "secrets.key": setting(installationKey, null, {
    value: "TEXT",
    doc: "Key that hashes and seals secrets in the records: at least 32 random letters, the same for every gateway of these records. If unset, it is read from `secrets.key_file`.",
    redact: hideSecret,
  }),
  "secrets.key_file": setting(text, null, {
    value: "FILE",
    doc: "File with the key, if `secrets.key` is unset; by default `key` in the data folder. The first start creates it, with mode 0600. Without it the records are unusable.",
    isFile: true,
  }),
  "secrets.next_key_file": setting(text, null, {
    value: "FILE",
    doc: "File with the key that `weir secrets rotate` changes to; by default the name of the key's file with `.next`. A gateway reads it when it meets a secret that this key has sealed.",
    isFile: true,
  }),
  upstream: setting(upstream, null, {
    value: "URL",
    doc: "Upstream of APIs without a target; echo responds to them in the gateway. If unset, their requests get 502.",
    flag: "upstream",
    flagHelp:
      "forward requests of APIs without a target to URL; echo: respond to them in the gateway (unset: 502)",
  }),
  "listen.host": setting(text, "127.0.0.1", {
    value: "HOST",
    doc: "Host that clients connect to; 0.0.0.0 is every address.",
    flag: "host",
    flagHelp: "listen on HOST; 0.0.0.0 is every address",
  }),
  "listen.port": setting(port, 8080, {
    value: "N",
    doc: "Port that clients connect to; 0 takes any free one.",
    flag: "port",
    flagHelp: "listen on port N; 0 takes any free one",
  }),
  workers: setting(workers, 1, {
    value: "N",
    doc: "Number of processes that serve; more than one needs a shared store.",
    flag: "workers",
    flagHelp: "serve with N processes; several need a shared store",
  }),
  "store.url": setting(storeUrl, "memory", {
    value: "URL",
    doc: "Store of the counters: memory, redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT; rediss for TLS.",
    flag: "store",
    flagHelp:
      "store counters in memory, redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT; rediss for TLS",
    redact: withoutSecret,
  }),
  "store.prefix": setting(prefix, "weir:", {
    value: "TEXT",
    doc: "Prefix of every name in the store. Gateways with the same prefix share their counters.",
  }),
  "store.required": setting(yesOrNo, true, {
    value: "true|false",
    doc: "Whether a start fails if the store does not respond. If it may start without, the gateway applies `on_store_error`.",
  }),
  "store.tls_ca": setting(text, null, {
    value: "FILE",
    doc: "Certificates of authorities that the store's certificate is verified with.",
    isFile: true,
  }),
  "store.tls_cert": setting(text, null, {
    value: "FILE",
    doc: "Client certificate for the store.",
    isFile: true,
  }),
  "store.tls_key": setting(text, null, {
    value: "FILE",
    doc: "Private key of that certificate.",
    isFile: true,
  }),
  "store.tls_servername": setting(text, null, {
    value: "NAME",
    doc: "Name in the store's certificate, if it differs from the host.",
  }),
  "store.tls_verify": setting(yesOrNo, true, {
    value: "true|false",
    doc: "Whether to verify the store's certificate.",
  }),
  "admin.host": setting(text, "127.0.0.1", {
    value: "HOST",
    doc: "Host of the admin listener.",
  }),
  "admin.port": setting(port, 8081, {
    value: "N",
    doc: "Port of the admin listener; 0 takes any free one.",
    flag: "admin-port",
    flagHelp: "listen on port N for administration; 0 takes any free one",
  }),
  "admin.hosts": HEADER_SETTINGS["admin.hosts"],
  ...interfaceSettings("admin", "/admin-api", "`Admin-Auth`"),
  ...interfaceSettingsWithPort("dashboard", "/dashboard", "the bearer token"),
  ...interfaceSettingsWithPort("studio", "/studio", "the bearer token"),
  "studio.catalogues": setting(yesOrNo, true, {
    value: "true|false",
    doc: "Whether this studio has catalogues; without them it responds with 402.",
    takesEffect: "reload",
  }),
  ...interfaceSettingsWithPort("broker", "/broker", "`Authorization`"),
  ...interfaceSettingsWithPort("portal", "/portal", "`Authorization`"),
  page_size: setting(pageSize, 10, {
    value: "N",
    doc: "Number of records on a page of a list, if the request gives none.",
    takesEffect: "reload",
  }),
  webhook_allow: setting(listOf(allowed), [], {
    value: "NETWORK:PORT,...",
    doc: "Receivers of webhooks that are allowed although they are private, such as 10.0.0.0/8:443 or [fd00::/8]:443; with * any port.",
    takesEffect: "reload",
  }),
  event_cooldown: setting(durationAbove0, "1m", {
    value: "DURATION",
    doc: "Time in which events of one exceeded budget become one delivery to a webhook.",
    takesEffect: "reload",
  }),
  metrics: setting(oneOf(["loopback", "everyone", "off"]), "loopback", {
    value: "loopback|everyone|off",
    doc: "Access to /metrics on the listener for clients; the admin listener always serves it.",
  }),
  "log.to": setting(oneOf(["off", "stdout", "file"]), "off", {
    value: "off|stdout|file",
    doc: "Destination of the log, which has a line for each request and each event of the limiter.",
  }),
  "log.file": setting(text, "weir.log", {
    value: "FILE",
    doc: "File of the log; a reload opens it again, so that it can be renamed before.",
    isFile: true,
  }),
  "log.level": setting(oneOf(["info", "warn", "error"]), "info", {
    value: "info|warn|error",
    doc: "Least severe line of the log: warn omits responses below 400, error those below 500.",
  }),
  trusted_proxies: setting(listOf(text), [], {
    value: "NETWORK,...",
    doc: "Addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-* headers are trusted on all listeners and forwarded.",
  }),
  "headers.underscores": HEADER_SETTINGS["headers.underscores"],
  "limits.header_bytes": setting(count, 16_384, {
    value: "N",
    doc: "Size of a request's headers, including its first line; a larger one gets 431.",
  }),
  "limits.headers": setting(count, 100, {
    value: "N",
    doc: "Number of header lines of a request; more get 431.",
  }),
  "limits.body_bytes": setting(count, 67_108_864, {
    value: "N",
    doc: "Size of a request's body; a larger one gets 413.",
  }),
  ...RECORD_SETTINGS,
  "limits.upstream_connections": setting(count, null, {
    value: "N",
    doc: "Connections to one upstream at a time; no limit if unset.",
  }),
  ...PROTECTION,
  ...TLS,
  ...UPSTREAMS,
  "timeouts.request_headers": setting(timeout, "10s", {
    value: "DURATION",
    doc: "Time until a request's headers are received; else 408. At most `timeouts.request`.",
  }),
  "timeouts.request": setting(timeout, "5m", {
    value: "DURATION",
    doc: "Time until a request's body is received; else 408.",
  }),
  "timeouts.keep_alive": setting(timeout, "1m", {
    value: "DURATION",
    doc: "Time that a client's connection stays open without a request.",
  }),
  "timeouts.connect": setting(timeout, "5s", {
    value: "DURATION",
    doc: "Time until the upstream accepts a connection; else 504.",
  }),
  "timeouts.response": setting(timeout, "30s", {
    value: "DURATION",
    doc: "Time until the response's headers are received; else 504.",
  }),
  "timeouts.response_idle": setting(timeout, "1m", {
    value: "DURATION",
    doc: "Time between two pieces of the response's body; else the connection is closed.",
  }),
  "timeouts.exchange": setting(timeout, "10m", {
    value: "DURATION",
    doc: "Time from the request to the end of the response, without the time in the queue of `leaky_bucket`. Then 408 if the request's body is incomplete, else 504, or the connection is closed.",
  }),
  drain: setting(timeout, "30s", {
    value: "DURATION",
    doc: "Time that running requests may take after SIGTERM or SIGINT.",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

export const settingNamed = (name: SettingName): Setting<unknown> => SETTINGS[name];

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** `listen.port` is WEIR_LISTEN_PORT: never WEIR_PORT, which platforms that link services set by themselves. */
export const variableOf = (name: SettingName): string =>
  `WEIR_${name.replaceAll(".", "_").toUpperCase()}`;

/** Fields of the file by name; a setting with a dot in its name is one map deeper. */
export const GROUPS: ReadonlyMap<string, readonly SettingName[]> = Map.groupBy(
  SETTING_NAMES,
  (name) => name.split(".", 1)[0]!,
);

export const isGroup = (top: string): boolean => !Object.hasOwn(SETTINGS, top);
