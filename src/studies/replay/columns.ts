// The types of formats of logs, and columns that several formats have.
import type { Layout, Part } from "./line-reader.ts";

/** Where a field is: a column of a format, or a part of that column. */
export interface ColumnChoice {
  readonly column: string;
  readonly part?: Part;
  readonly unitUs?: number; // the unit of a duration
  readonly isEnd?: true; // the time of the response: the duration is subtracted from it
}

/** Field names that are valid with every format. */
export const FIELDS = ["ip", "path", "method", "status", "host", "user"] as const;
type FieldName = (typeof FIELDS)[number];

export interface LogFormat {
  readonly name: string;
  /** The text of a format that the user gave: other threads parse this text again. */
  readonly text?: string;
  readonly title: string;
  readonly recognises: (head: readonly string[]) => boolean;
  readonly layoutOf: (head: readonly string[]) => Layout;
  /** Columns for each field, in the order of preference. */
  readonly time: readonly ColumnChoice[];
  readonly duration: readonly ColumnChoice[];
  readonly fields: Readonly<Record<FieldName, readonly ColumnChoice[]>>;
  /** Lines without a request. `names`: the first line has column names. `comments`: lines with #, as `#Fields:`. */
  readonly others?: "names" | "comments";
  /** Returns the columns that may contain a request header. */
  readonly header: (name: string) => readonly string[];
}

export const SECOND_US = 1_000_000;
export const MS_US = 1000;

export const of = (...columns: readonly string[]): readonly ColumnChoice[] =>
  columns.map((column) => ({ column }));
export const partOf = (part: Part, ...columns: readonly string[]): readonly ColumnChoice[] =>
  columns.map((column) => ({ column, part }));
export const lasting = (unitUs: number, ...columns: readonly string[]): readonly ColumnChoice[] =>
  columns.map((column) => ({ column, unitUs }));
export const atEnd = (...columns: readonly string[]): readonly ColumnChoice[] =>
  columns.map((column) => ({ column, isEnd: true as const }));

export const first = (head: readonly string[]): string => head[0] ?? "";

export const plainName = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** Variables of nginx, which are usually also the names of fields in its JSON logs. */
export const NGINX = {
  time: atEnd("msec", "time_iso8601", "time_local", "@timestamp", "timestamp", "time"),
  duration: lasting(SECOND_US, "request_time"),
  fields: {
    ip: partOf("address", "remote_addr", "clientip", "client_ip"),
    path: partOf("path", "request_uri", "uri", "request"),
    method: [...of("request_method"), ...partOf("method", "request")],
    status: of("status"),
    host: of("host", "http_host", "server_name"),
    user: of("remote_user"),
  },
  header: (name: string) => [`http_${plainName(name)}`, plainName(name)],
} as const;

/** Names that programs often give to columns of JSON and CSV. */
export const USUAL = {
  time: of(
    "time",
    "timestamp",
    "@timestamp",
    "ts",
    "date",
    "datetime",
    "start_time",
    "started_at",
    "startTime",
    "at",
  ),
  duration: lasting(MS_US, "duration_ms", "latency_ms", "response_time_ms", "elapsed_ms"),
  fields: {
    ip: partOf(
      "address",
      "ip",
      "client_ip",
      "clientIp",
      "remote_ip",
      "remote_addr",
      "remoteAddress",
      "client",
      "clientip",
      "source_ip",
      "client.ip",
      "addr",
      "req.remoteAddress",
    ),
    path: partOf("path", "path", "uri", "url", "request_uri", "request", "url.path", "req.url"),
    method: [
      ...of("method", "verb", "request_method", "http.method", "req.method"),
      ...partOf("method", "request"),
    ],
    status: of(
      "status",
      "status_code",
      "statusCode",
      "response_code",
      "code",
      "http.status_code",
      "res.statusCode",
    ),
    host: of("host", "vhost", "server_name", "domain"),
    user: of("user", "user_id", "userId", "remote_user", "username"),
  },
  header: (name: string) => [
    `headers.${name}`,
    `request.headers.${name}`,
    `req.headers.${name}`,
    name,
    plainName(name),
    `http_${plainName(name)}`,
  ],
} as const;

/** Whether names of columns are equal, however they are spelt: `Client IP` is `client_ip`. */
export const isSameName = (one: string, other: string): boolean =>
  plainColumn(one) === plainColumn(other);
export const plainColumn = (name: string): string => plainName(name).replaceAll(" ", "_");
