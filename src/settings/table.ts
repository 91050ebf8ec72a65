// Every setting of a gateway process, once: the file, the environment, the command line, the schema, help
// and the documentation are all read off this table.
import { shape, text, wholeNumber, type Shape } from "../scenario/read/shape.ts";
import { someTime } from "../scenario/read/values.ts";
import type { Json } from "../scenario/types.ts";

export interface Setting<out T> {
  readonly shape: Shape<T>;
  readonly otherwise: Json; // as a file would say it; null: not set
  readonly value: string; // as help calls it
  readonly doc: string;
  readonly flag: string | null; // on the command line, without the dashes
  readonly isFile: boolean; // a path, counted from the file that says it
  readonly isSecret: boolean;
  readonly takesEffect: "reload" | "start";
}

type More = Partial<Pick<Setting<unknown>, "flag" | "isFile" | "isSecret" | "takesEffect">>;

function setting<T>(of: Shape<T>, otherwise: null, value: string, doc: string, more?: More): Setting<T | null>; // prettier-ignore
function setting<T>(of: Shape<T>, otherwise: string | number | boolean, value: string, doc: string, more?: More): Setting<T>; // prettier-ignore
function setting<T>(
  of: Shape<T>,
  otherwise: Json,
  value: string,
  doc: string,
  { flag = null, isFile = false, isSecret = false, takesEffect = "start" }: More = {},
): Setting<T | null> {
  return { shape: of, otherwise, value, doc, flag, isFile, isSecret, takesEffect };
}

const port = wholeNumber(0, 65_535);

const ADDRESS = /^https?:\/\/[^\s/?#@]+(?:\/[^\s?#]*)?$/;

const upstream: Shape<string> = shape(
  "an http or https address, or echo",
  { type: "string", pattern: `${ADDRESS.source}|^echo$` },
  (value) =>
    typeof value === "string" && (value === "echo" || ADDRESS.test(value)) ? value : undefined,
  'write "http://127.0.0.1:3000", or "echo" to be answered by the gateway itself',
);

const world =
  "The file with APIs, policies, keys and gateway options: a scenario's `world:` by itself.";

export const SETTINGS = {
  world: setting(text, null, "FILE", world, { flag: "world", isFile: true, takesEffect: "reload" }),
  upstream: setting(
    upstream,
    null,
    "URL",
    "Where admitted requests go. `echo` answers them here, which is good for trying.",
    { flag: "upstream" },
  ),
  "listen.host": setting(
    text,
    "127.0.0.1",
    "HOST",
    "Where clients come in; 0.0.0.0 is everywhere.",
    {
      flag: "host",
    },
  ),
  "listen.port": setting(port, 8080, "N", "Its port; 0 takes any that is free.", { flag: "port" }),
  "admin.host": setting(text, "127.0.0.1", "HOST", "Where the admin listener is."),
  "admin.port": setting(
    port,
    8081,
    "N",
    "The port of the admin listener; 0 takes any that is free.",
    {
      flag: "admin-port",
    },
  ),
  "admin.secret": setting(
    text,
    null,
    "TEXT",
    "What `Admin-Auth` has to say. Where it is not set, `admin.secret_file` holds it.",
    { isSecret: true, takesEffect: "reload" },
  ),
  "admin.secret_file": setting(
    text,
    ".weir/admin-secret",
    "FILE",
    "Holds the secret where `admin.secret` is not set. Made at the first start, with mode 0600.",
    { isFile: true, takesEffect: "reload" },
  ),
  drain: setting(
    someTime,
    "10s",
    "DURATION",
    "How long running requests may go on after SIGTERM or SIGINT.",
  ),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};

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
