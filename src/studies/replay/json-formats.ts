// Formats that have a JSON object in each line.
import {
  atEnd,
  first,
  lasting,
  MS_US,
  NGINX,
  of,
  partOf,
  plainName,
  SECOND_US,
  USUAL,
  type LogFormat,
} from "./columns.ts";
import { JSON_LAYOUT } from "./json-lines.ts";
import type { Layout } from "./line-reader.ts";

const isJson = (head: readonly string[], ...keys: readonly string[]): boolean =>
  first(head).trimStart().startsWith("{") && keys.every((key) => first(head).includes(`"${key}"`));

const jsonLayout = (): Layout => JSON_LAYOUT;

/** More specific formats come first. */
export const JSON_FORMATS: readonly LogFormat[] = [
  {
    name: "har",
    title: "HAR",
    recognises: (head) => isJson(head, "startedDateTime"),
    layoutOf: jsonLayout,
    time: of("startedDateTime"),
    duration: lasting(MS_US, "time"),
    fields: {
      ip: [],
      path: partOf("path", "request.url"),
      method: of("request.method"),
      status: of("response.status"),
      host: [],
      user: [],
    },
    header: (name) => [`request.headers.${name}`],
  },
  {
    name: "cloudflare",
    title: "Cloudflare Logpush, http_requests",
    recognises: (head) => isJson(head, "EdgeStartTimestamp") || isJson(head, "ClientIP", "RayID"),
    layoutOf: jsonLayout,
    time: of("EdgeStartTimestamp", "EdgeEndTimestamp"),
    duration: [],
    fields: {
      ip: partOf("address", "ClientIP"),
      path: partOf("path", "ClientRequestPath", "ClientRequestURI"),
      method: of("ClientRequestMethod"),
      status: of("EdgeResponseStatus"),
      host: of("ClientRequestHost"),
      user: [],
    },
    header: (name) => [`RequestHeaders.${name}`, `ClientRequest${name.replaceAll("-", "")}`],
  },
  {
    name: "traefik",
    title: "Traefik, JSON",
    recognises: (head) => isJson(head, "ClientHost") || isJson(head, "StartUTC"),
    layoutOf: jsonLayout,
    time: [...of("StartUTC", "StartLocal"), ...atEnd("time")],
    duration: lasting(0.001, "Duration"),
    fields: {
      ip: partOf("address", "ClientHost", "ClientAddr"),
      path: partOf("path", "RequestPath"),
      method: of("RequestMethod"),
      status: of("DownstreamStatus"),
      host: of("RequestHost", "RequestAddr"),
      user: of("ClientUsername"),
    },
    header: (name) => [`request_${name}`],
  },
  {
    name: "kong",
    title: "Kong, JSON of its log plugins",
    recognises: (head) => isJson(head, "started_at", "latencies"),
    layoutOf: jsonLayout,
    time: of("started_at"),
    duration: lasting(MS_US, "latencies.request"),
    fields: {
      ip: partOf("address", "client_ip"),
      path: partOf("path", "request.uri", "request.url"),
      method: of("request.method"),
      status: of("response.status"),
      host: of("request.headers.host"),
      user: of("consumer.username", "consumer.id"),
    },
    header: (name) => [`request.headers.${name}`],
  },
  {
    name: "caddy",
    title: "Caddy, JSON",
    recognises: (head) =>
      (isJson(head, "remote_ip") && /"request":\s*\{/.test(first(head))) ||
      /"logger":\s*"http\.log\.access/.test(first(head)),
    layoutOf: jsonLayout,
    time: atEnd("ts"),
    duration: lasting(SECOND_US, "duration"),
    fields: {
      ip: partOf("address", "request.client_ip", "request.remote_ip", "request.remote_addr"),
      path: partOf("path", "request.uri"),
      method: of("request.method"),
      status: of("status"),
      host: of("request.host"),
      user: of("user_id"),
    },
    header: (name) => [`request.headers.${name}`],
  },
  {
    name: "envoy",
    title: "Envoy, JSON",
    recognises: (head) => isJson(head, "start_time", "response_code"),
    layoutOf: jsonLayout,
    time: of("start_time"),
    duration: lasting(MS_US, "duration"),
    fields: {
      ip: partOf("address", "downstream_remote_address", "x_forwarded_for"),
      path: partOf("path", "path", "x_envoy_original_path"),
      method: of("method"),
      status: of("response_code"),
      host: of("authority"),
      user: [],
    },
    header: (name) => [plainName(name)],
  },
  {
    name: "nginx",
    title: "nginx, JSON by log_format",
    recognises: (head) =>
      isJson(head, "remote_addr") &&
      ["time_local", "time_iso8601", "msec", "request_time"].some((key) => isJson(head, key)),
    layoutOf: jsonLayout,
    ...NGINX,
  },
  {
    name: "ndjson",
    title: "JSON lines",
    recognises: (head) => isJson(head),
    layoutOf: jsonLayout,
    ...USUAL,
  },
];
