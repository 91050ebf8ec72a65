// Every setting of a gateway process. File, environment, command line, schema, help and documentation are derived from
// this table.
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
    doc: "File with APIs, policies, keys and gateway options. It is imported once, into empty records. If `records` is off, a reload reads it again.",
    flag: {
      name: "world",
      value: "FILE",
      help: "read APIs, policies, keys and gateway options from FILE: once, into empty records, or with records off at each reload",
    },
    isFile: true,
    takesEffect: "reload",
  }),
  records: setting(records, "sqlite", {
    doc: "Where records are stored (APIs, policies, keys, users and webhooks): sqlite (a file in the data folder), memory, or postgres://USER@HOST/NAME. off serves the world file without management.",
    flag: {
      name: "records",
      value: "WHERE",
      help: "store records in sqlite (a file in the data folder), memory or postgres://USER@HOST/NAME; off: serve the world file without management",
    },
    redact: withoutSecret,
  }),
  data: setting(text, ".weir", {
    doc: "Folder for records and secrets.",
    flag: { name: "data", value: "DIR", help: "store records and secrets in the folder DIR" },
    isFile: true,
  }),
  "secrets.key": setting(installationKey, null, {
    doc: "Key that hashes and seals secrets in the records: at least 32 random letters, the same for every gateway of these records. If unset, it is read from `secrets.key_file`.",
    redact: hideSecret,
  }),
  "secrets.key_file": setting(text, null, {
    doc: "File with the key, if `secrets.key` is unset; by default `key` in the data folder. The first start creates it, with mode 0600. Without it the records are unusable.",
    isFile: true,
  }),
  "secrets.next_key_file": setting(text, null, {
    doc: "File with the key that `weir secrets rotate` changes to; by default the name of the key's file with `.next`. A gateway reads it when it meets a secret that this key has sealed.",
    isFile: true,
  }),
  upstream: setting(upstream, null, {
    doc: "Upstream of APIs without a target; echo responds to them in the gateway. If unset, their requests get 502.",
    flag: {
      name: "upstream",
      value: "URL",
      help: "forward requests of APIs without a target to URL; echo: respond to them in the gateway (unset: 502)",
    },
  }),
  "listen.host": setting(text, "127.0.0.1", {
    doc: "Host that clients connect to; 0.0.0.0 is every address.",
    flag: { name: "host", value: "HOST", help: "listen on HOST; 0.0.0.0 is every address" },
  }),
  "listen.port": setting(port, 8080, {
    doc: "Port that clients connect to; 0 takes any free one.",
    flag: { name: "port", value: "N", help: "listen on port N; 0 takes any free one" },
  }),
  workers: setting(workers, 1, {
    doc: "Number of processes that serve; more than one needs a shared store.",
    flag: {
      name: "workers",
      value: "N",
      help: "serve with N processes; several need a shared store",
    },
  }),
  "store.url": setting(storeUrl, "memory", {
    doc: "Store of the counters: memory, redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT; rediss for TLS.",
    flag: {
      name: "store",
      value: "URL",
      help: "store counters in memory, redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT; rediss for TLS",
    },
    redact: withoutSecret,
  }),
  "store.prefix": setting(prefix, "weir:", {
    doc: "Prefix of every name in the store. Gateways with the same prefix share their counters.",
  }),
  "store.required": setting(yesOrNo, true, {
    doc: "Whether a start fails if the store does not respond. If it may start without, the gateway applies `on_store_error`.",
  }),
  "store.tls_ca": setting(text, null, {
    doc: "Certificates of authorities that the store's certificate is verified with.",
    isFile: true,
  }),
  "store.tls_cert": setting(text, null, {
    doc: "Client certificate for the store.",
    isFile: true,
  }),
  "store.tls_key": setting(text, null, {
    doc: "Private key of that certificate.",
    isFile: true,
  }),
  "store.tls_servername": setting(text, null, {
    doc: "Name in the store's certificate, if it differs from the host.",
  }),
  "store.tls_verify": setting(yesOrNo, true, {
    doc: "Whether to verify the store's certificate.",
  }),
  "admin.host": setting(text, "127.0.0.1", {
    doc: "Host of the admin listener.",
  }),
  "admin.port": setting(port, 8081, {
    doc: "Port of the admin listener; 0 takes any free one.",
    flag: {
      name: "admin-port",
      value: "N",
      help: "listen on port N for administration; 0 takes any free one",
    },
  }),
  "admin.hosts": HEADER_SETTINGS["admin.hosts"],
  ...interfaceSettings("admin", "/admin-api", "`Admin-Auth`"),
  ...interfaceSettingsWithPort("dashboard", "/dashboard", "the bearer token"),
  ...interfaceSettingsWithPort("studio", "/studio", "the bearer token"),
  "studio.catalogues": setting(yesOrNo, true, {
    doc: "Whether this studio has catalogues; without them it responds with 402.",
    takesEffect: "reload",
  }),
  ...interfaceSettingsWithPort("broker", "/broker", "`Authorization`"),
  ...interfaceSettingsWithPort("portal", "/portal", "`Authorization`"),
  page_size: setting(pageSize, 10, {
    doc: "Number of records on a page of a list, if the request gives none.",
    takesEffect: "reload",
  }),
  webhook_allow: setting(listOf(allowed), [], {
    doc: "Receivers of webhooks that are allowed although they are private, such as 10.0.0.0/8:443 or [fd00::/8]:443; with * any port.",
    takesEffect: "reload",
  }),
  event_cooldown: setting(durationAbove0, "1m", {
    doc: "Time in which events of one exceeded budget become one delivery to a webhook.",
    takesEffect: "reload",
  }),
  metrics: setting(oneOf(["loopback", "everyone", "off"]), "loopback", {
    doc: "Access to /metrics on the listener for clients; the admin listener always serves it.",
  }),
  "log.to": setting(oneOf(["off", "stdout", "file"]), "off", {
    doc: "Destination of the log, which has a line for each request and each event of the limiter.",
  }),
  "log.file": setting(text, "weir.log", {
    doc: "File of the log; a reload opens it again, so that it can be renamed before.",
    isFile: true,
  }),
  "log.level": setting(oneOf(["info", "warn", "error"]), "info", {
    doc: "Least severe line of the log: warn omits responses below 400, error those below 500.",
  }),
  trusted_proxies: setting(listOf(text), [], {
    doc: "Addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-* headers are trusted on all listeners and forwarded.",
  }),
  "headers.underscores": HEADER_SETTINGS["headers.underscores"],
  "limits.header_bytes": setting(count, 16_384, {
    doc: "Size of a request's headers, including its first line; a larger one gets 431.",
  }),
  "limits.headers": setting(count, 100, {
    doc: "Number of header lines of a request; more get 431.",
  }),
  "limits.body_bytes": setting(count, 67_108_864, {
    doc: "Size of a request's body; a larger one gets 413.",
  }),
  ...RECORD_SETTINGS,
  "limits.upstream_connections": setting(count, null, {
    doc: "Connections to one upstream at a time; no limit if unset.",
  }),
  ...PROTECTION,
  ...TLS,
  ...UPSTREAMS,
  "timeouts.request_headers": setting(timeout, "10s", {
    doc: "Time until a request's headers are received; else 408. At most `timeouts.request`.",
  }),
  "timeouts.request": setting(timeout, "5m", {
    doc: "Time until a request's body is received; else 408.",
  }),
  "timeouts.keep_alive": setting(timeout, "1m", {
    doc: "Time that a client's connection stays open without a request.",
  }),
  "timeouts.connect": setting(timeout, "5s", {
    doc: "Time until the upstream accepts a connection; else 504.",
  }),
  "timeouts.response": setting(timeout, "30s", {
    doc: "Time until the response's headers are received; else 504.",
  }),
  "timeouts.response_idle": setting(timeout, "1m", {
    doc: "Time between two pieces of the response's body; else the connection is closed.",
  }),
  "timeouts.exchange": setting(timeout, "10m", {
    doc: "Time from the request to the end of the response, without the time in the queue of `leaky_bucket`. Then 408 if the request's body is incomplete, else 504, or the connection is closed.",
  }),
  drain: setting(timeout, "30s", {
    doc: "Time that running requests may take after SIGTERM or SIGINT.",
  }),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

export const settingNamed = (name: SettingName): Setting<unknown> => SETTINGS[name];

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

/** A setting's environment variable, with the group in its name: platforms set WEIR_PORT for a linked service. */
export const variableOf = (name: SettingName): string =>
  `WEIR_${name.replaceAll(".", "_").toUpperCase()}`;

/** The settings of each top-level field of the settings file. The settings of a group are fields of one map. */
export const GROUPS: ReadonlyMap<string, readonly SettingName[]> = Map.groupBy(
  SETTING_NAMES,
  (name) => name.split(".", 1)[0]!,
);

export const isGroup = (top: string): boolean => !Object.hasOwn(SETTINGS, top);
