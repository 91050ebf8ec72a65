// Formats that are lines of text by a template.
import {
  first,
  lasting,
  MS_US,
  NGINX,
  of,
  partOf,
  plainName,
  SECOND_US,
  type LogFormat,
} from "./columns.ts";
import { isFailure, requireValue, type Failure } from "../../kit/reading/failure.ts";
import { apacheTemplate, nginxTemplate, templateLayout, type Template } from "./template.ts";

const template = (text: string): Template => requireValue(nginxTemplate(text));
const APACHE = {
  // Apache logs the time at which the request arrived.
  time: of("%t", "%{msec}t", "%{begin:msec}t", "%{usec}t", "%{sec}t"),
  duration: [
    ...lasting(1, "%D", "%{us}T"),
    ...lasting(MS_US, "%{ms}T"),
    ...lasting(SECOND_US, "%T"),
  ],
  fields: {
    ip: partOf("address", "%a", "%h", "%{c}a"),
    path: partOf("path", "%U", "%r"),
    method: [...of("%m"), ...partOf("method", "%r")],
    status: of("%s"),
    host: of("%{Host}i", "%V", "%v"),
    user: of("%u"),
  },
  header: (name: string) => [`%{${name}}i`],
} as const;

const COMMON_LINE = '$remote_addr $ident $remote_user [$time_local] "$request" $status $bytes';
const COMMON = /^\S+ \S+ \S+ \[\d\d\/\w{3}\/\d{4}:[^\]]+\] "(?:[^"\\]|\\.)*" \d{3} (?:\d+|-)/;
const COMBINED_LINE = `${COMMON_LINE} "$http_referer" "$http_user_agent"`;
const COMBINED = new RegExp(`${COMMON.source} "(?:[^"\\\\]|\\\\.)*" "(?:[^"\\\\]|\\\\.)*"`);
// The first word is a virtual host if a client follows it. A dash is no client: then the first word is the client, and
// the user's name has two words. After a host without port, an address must follow.
const VHOST = String.raw`^(?:\S+:\d+ (?!- )|\S+ (?=\d{1,3}(?:\.\d{1,3}){3} |[\da-f]*:[\da-f:.]+ ))`;
const VHOST_COMMON = new RegExp(VHOST + COMMON.source.slice(1), "i");
const VHOST_COMBINED = new RegExp(VHOST + COMBINED.source.slice(1), "i");
const vhostTemplate = (head: readonly string[], line: string): Template =>
  template(
    /^\S+:\d+ /.test(first(head)) ? `$server_name:$server_port ${line}` : `$server_name ${line}`,
  );

const HAPROXY_LINE =
  '$client [$accept_date] $frontend $backend $timers $status $bytes_read $request_cookie $response_cookie $termination_state $connections $queues $captures"$request"';
// Matches only the last character of the client: `\S+` would take minutes on a line of a megabyte.
const HAPROXY = /\S:\d+ \[\d\d\/\w{3}\/\d{4}:[\d:.]+\] \S+ \S+ (?:[+\d-]+\/){4}[+\d-]+ /;

const ALB_LINE =
  '$type $time $elb $client $target $request_processing_time $target_processing_time $response_processing_time $elb_status_code $target_status_code $received_bytes $sent_bytes "$request" "$user_agent" $ssl_cipher $ssl_protocol $target_group_arn "$trace_id" "$domain_name" "$chosen_cert_arn" $matched_rule_priority $request_creation_time "$actions_executed"';

const ENVOY_LINE =
  '[$start_time] "$method $path $protocol" $response_code $response_flags $bytes_received $bytes_sent $duration $upstream_service_time "$x_forwarded_for" "$user_agent" "$x_request_id" "$authority" "$upstream_host"';

const NO_HEADERS = (): readonly string[] => [];

/** More specific formats come first. */
export const TEXT_FORMATS: readonly LogFormat[] = [
  {
    name: "alb",
    title: "AWS Application Load Balancer",
    recognises: (head) =>
      /^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT\S+ \S+ \S+:\d+ /.test(first(head)),
    layoutOf: () => templateLayout(template(ALB_LINE)),
    time: of("request_creation_time"),
    duration: [],
    fields: {
      ip: partOf("peer", "client"),
      path: partOf("path", "request"),
      method: partOf("method", "request"),
      status: of("elb_status_code"),
      host: of("domain_name"),
      user: [],
    },
    header: (name) => [plainName(name)],
  },
  {
    name: "envoy-text",
    title: "Envoy, its default format of text",
    recognises: (head) => /^\[\d{4}-\d\d-\d\dT\S+\] "\S+ \S+ \S+" \d+ /.test(first(head)),
    layoutOf: () => templateLayout(template(ENVOY_LINE)),
    time: of("start_time"),
    duration: lasting(MS_US, "duration"),
    fields: {
      ip: partOf("address", "x_forwarded_for"),
      path: partOf("path", "path"),
      method: of("method"),
      status: of("response_code"),
      host: of("authority"),
      user: [],
    },
    header: (name) => [plainName(name)],
  },
  {
    name: "haproxy",
    title: "HAProxy, option httplog",
    recognises: (head) => HAPROXY.test(first(head)),
    layoutOf: (head) =>
      templateLayout(
        template(/\]: \S+:\d+ \[/.test(first(head)) ? `$process]: ${HAPROXY_LINE}` : HAPROXY_LINE),
      ),
    time: of("accept_date"),
    duration: [],
    fields: {
      ip: partOf("peer", "client"),
      path: partOf("path", "request"),
      method: partOf("method", "request"),
      status: of("status"),
      host: [],
      user: [],
    },
    header: NO_HEADERS,
  },
  {
    name: "vhost_combined",
    title: "combined log of Apache, with hosts",
    recognises: (head) => VHOST_COMBINED.test(first(head)),
    layoutOf: (head) => templateLayout(vhostTemplate(head, COMBINED_LINE)),
    ...NGINX,
  },
  {
    name: "vhost_common",
    title: "common log of Apache, with hosts",
    recognises: (head) => VHOST_COMMON.test(first(head)),
    layoutOf: (head) => templateLayout(vhostTemplate(head, COMMON_LINE)),
    ...NGINX,
  },
  {
    name: "combined",
    title: "combined log of Apache and nginx",
    recognises: (head) => COMBINED.test(first(head)),
    layoutOf: () => templateLayout(template(COMBINED_LINE)),
    ...NGINX,
  },
  {
    name: "common",
    title: "common log of Apache and nginx",
    recognises: (head) => COMMON.test(first(head)),
    layoutOf: () => templateLayout(template(COMMON_LINE)),
    ...NGINX,
  },
];

/** Parses a format given as text: nginx's has dollars, Apache's has percent signs. */
export function formatOfText(text: string): LogFormat | Failure {
  const isApache = !/\$\{?\w/.test(text);
  const own = isApache ? apacheTemplate(text) : nginxTemplate(text);
  if (isFailure(own)) return own;
  const layout = templateLayout(own);
  return {
    name: isApache ? "LogFormat" : "log_format",
    text,
    title: isApache ? "LogFormat of Apache" : "log_format of nginx",
    recognises: () => true,
    layoutOf: () => layout,
    ...(isApache ? APACHE : NGINX),
  };
}
