// Every setting of a gateway process, once: the file, the environment, the command line, the schema, help
// and the documentation are all read off this table.
import { listOf, oneOf, text } from "../reading/shape.ts";
import { someTime } from "../reading/duration.ts";
import { withoutSecret } from "../store/redis-address.ts";
import { HEADER_SETTINGS } from "./headers.ts";
import { guarded, withPort } from "./of-interface.ts";
import { OF_RECORDS } from "./of-records.ts";
import { PROTECTION } from "./protection.ts";
import { TLS } from "./tls.ts";
import { UPSTREAMS } from "./upstreams.ts";
import { hidden, setting, type Setting } from "./setting.ts";
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

export const SETTINGS = {
  world: setting(text, null, {
    value: "FILE",
    doc: "The file with APIs, policies, keys and gateway options. Empty records take it in, once; a reload reads it again where `records` is off.",
    flag: "world",
    isFile: true,
    takesEffect: "reload",
  }),
  records: setting(records, "sqlite", {
    value: "WHERE",
    doc: "Where APIs, policies, keys and all else that is managed lie: sqlite (a file in the data folder), memory, or postgres://USER@HOST/NAME; off serves the world as it is, without management.",
    flag: "records",
    shown: withoutSecret,
  }),
  data: setting(text, ".weir", {
    value: "DIR",
    doc: "The folder for records and secrets.",
    flag: "data",
    isFile: true,
  }),
  "secrets.key": setting(installationKey, null, {
    value: "TEXT",
    doc: "What secrets in the records are hashed and sealed with: at least 32 letters, drawn at random, and the same for every gateway of these records. Where it is not set, `secrets.key_file` holds it.",
    shown: hidden,
  }),
  "secrets.key_file": setting(text, null, {
    value: "FILE",
    doc: "Holds the key where `secrets.key` is not set; `key` in the data folder where this is not set either. Made at the first start, with mode 0600. Without it the records are of no use.",
    isFile: true,
  }),
  "secrets.next_key_file": setting(text, null, {
    value: "FILE",
    doc: "Holds the key that `weir secrets rotate` changes to; the name of the key's own file with `.next` where this is not set. A gateway reads it when it meets what that key has sealed.",
    isFile: true,
  }),
  upstream: setting(upstream, null, {
    value: "URL",
    doc: "Where requests go to APIs without a target; echo answers them here. Where it is not set they get 502.",
    flag: "upstream",
  }),
  "listen.host": setting(text, "127.0.0.1", {
    value: "HOST",
    doc: "Where clients come in; 0.0.0.0 is everywhere.",
    flag: "host",
  }),
  "listen.port": setting(port, 8080, {
    value: "N",
    doc: "Its port; 0 takes any that is free.",
    flag: "port",
  }),
  workers: setting(workers, 1, {
    value: "N",
    doc: "How many processes serve together; more than one need a store to share.",
    flag: "workers",
  }),
  "store.url": setting(storeUrl, "memory", {
    value: "URL",
    doc: "Where it is counted: memory, redis://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME or redis+cluster://HOST:PORT,HOST:PORT; rediss for TLS.",
    flag: "store",
    shown: withoutSecret,
  }),
  "store.prefix": setting(prefix, "weir:", {
    value: "TEXT",
    doc: "What every name in the store begins with. Who shares it shares counts.",
  }),
  "store.required": setting(yesOrNo, true, {
    value: "true|false",
    doc: "Whether a start needs the store to answer. Where it is not there, `on_store_error` of the gateway's options decides.",
  }),
  "store.tls_ca": setting(text, null, {
    value: "FILE",
    doc: "The certificates that the store's own is held against.",
    isFile: true,
  }),
  "store.tls_cert": setting(text, null, {
    value: "FILE",
    doc: "A certificate to show to the store.",
    isFile: true,
  }),
  "store.tls_key": setting(text, null, {
    value: "FILE",
    doc: "The private key of that certificate.",
    isFile: true,
  }),
  "store.tls_servername": setting(text, null, {
    value: "NAME",
    doc: "The name in the store's certificate, where that is not its host.",
  }),
  "store.tls_verify": setting(yesOrNo, true, {
    value: "true|false",
    doc: "`false` believes whoever answers.",
  }),
  "admin.host": setting(text, "127.0.0.1", {
    value: "HOST",
    doc: "Where the admin listener is.",
  }),
  "admin.port": setting(port, 8081, {
    value: "N",
    doc: "The port of the admin listener; 0 takes any that is free.",
    flag: "admin-port",
  }),
  "admin.hosts": HEADER_SETTINGS["admin.hosts"],
  ...guarded("admin", "/admin-api", "`Admin-Auth`"),
  ...withPort("dashboard", "/dashboard", "the bearer token"),
  ...withPort("studio", "/studio", "the bearer token"),
  "studio.catalogues": setting(yesOrNo, true, {
    value: "true|false",
    doc: "Whether this studio has catalogues; without them its answer is 402.",
    takesEffect: "reload",
  }),
  ...withPort("broker", "/broker", "`Authorization`"),
  ...withPort("portal", "/portal", "`Authorization`"),
  page_size: setting(pageSize, 10, {
    value: "N",
    doc: "How many records a list gives at once, where its request does not say.",
    takesEffect: "reload",
  }),
  webhook_allow: setting(listOf(allowed), [], {
    value: "NETWORK:PORT,...",
    doc: "Receivers of webhooks that are allowed although they are private, such as 10.0.0.0/8:443 or [fd00::/8]:443; with * any port.",
    takesEffect: "reload",
  }),
  event_cooldown: setting(someTime, "1m", {
    value: "DURATION",
    doc: "For how long events of one exceeded budget become one delivery to a webhook.",
    takesEffect: "reload",
  }),
  metrics: setting(oneOf(["loopback", "everyone", "off"]), "loopback", {
    value: "loopback|everyone|off",
    doc: "Who may read /metrics where clients come in; the admin listener has it in any case.",
  }),
  "log.to": setting(oneOf(["off", "stdout", "file"]), "off", {
    value: "off|stdout|file",
    doc: "Where a line goes for each request and each event of the limiter.",
  }),
  "log.file": setting(text, "weir.log", {
    value: "FILE",
    doc: "Its file; opened again at a reload, so that it can be moved away before.",
    isFile: true,
  }),
  "log.level": setting(oneOf(["info", "warn", "error"]), "info", {
    value: "info|warn|error",
    doc: "From where on: warn leaves out what was answered below 400, error what was below 500.",
  }),
  trusted_proxies: setting(listOf(text), [], {
    value: "NETWORK,...",
    doc: "Addresses and networks, such as 10.0.0.0/8, whose X-Forwarded-* are believed, on all listeners, and carried on.",
  }),
  "headers.underscores": HEADER_SETTINGS["headers.underscores"],
  "limits.header_bytes": setting(count, 16_384, {
    value: "N",
    doc: "Of a request, its first line included; more is 431.",
  }),
  "limits.headers": setting(count, 100, {
    value: "N",
    doc: "Lines of them in a request; more is 431.",
  }),
  "limits.body_bytes": setting(count, 67_108_864, {
    value: "N",
    doc: "Of a request; more is 413.",
  }),
  ...OF_RECORDS,
  "limits.upstream_connections": setting(count, null, {
    value: "N",
    doc: "To one upstream at a time; as many as are needed where it is not set.",
  }),
  ...PROTECTION,
  ...TLS,
  ...UPSTREAMS,
  "timeouts.request_headers": setting(timeout, "10s", {
    value: "DURATION",
    doc: "Until the headers of a request are here; else 408. Not longer than `timeouts.request`.",
  }),
  "timeouts.request": setting(timeout, "5m", {
    value: "DURATION",
    doc: "Until its body is here as well; else 408.",
  }),
  "timeouts.keep_alive": setting(timeout, "1m", {
    value: "DURATION",
    doc: "How long a client's connection stays open without a request.",
  }),
  "timeouts.connect": setting(timeout, "5s", {
    value: "DURATION",
    doc: "Until the upstream takes a connection; else 504.",
  }),
  "timeouts.response": setting(timeout, "30s", {
    value: "DURATION",
    doc: "Until the headers of the response are here; else 504.",
  }),
  "timeouts.response_idle": setting(timeout, "1m", {
    value: "DURATION",
    doc: "Between two pieces of the response body; else the connection is cut off.",
  }),
  "timeouts.exchange": setting(timeout, "10m", {
    value: "DURATION",
    doc: "From the request to the end of the response; 408 without its body, else 504, or the connection is cut off.",
  }),
  drain: setting(timeout, "30s", {
    value: "DURATION",
    doc: "How long running requests may go on after SIGTERM or SIGINT.",
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

/** Members of the file by name; one with a dot in its name lies a map deeper. */
export const GROUPS: ReadonlyMap<string, readonly SettingName[]> = Map.groupBy(
  SETTING_NAMES,
  (name) => name.split(".", 1)[0]!,
);

export const isGroup = (top: string): boolean => !Object.hasOwn(SETTINGS, top);
