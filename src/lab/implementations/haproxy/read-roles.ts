// Which lines of HAProxy cannot change a limit, and which might.
import type { ReadRole } from "../reading.ts";
import { IRRELEVANT, misunderstood } from "../roles.ts";
import type { Line, Section } from "./parse.ts";

const IRRELEVANT_SECTIONS =
  /^(?:userlist|resolvers|mailers|cache|ring|program|http-errors|fcgi-app|log-forward|crt-store|acme|traces|peers)$/;

const IRRELEVANT_NAMES =
  /^(?:mode|bind|bind-process|balance|server|server-template|option|timeout|log|log-format.*|log-tag|log-send-hostname|log-steps|retries|retry-on|default-server|http-check|tcp-check|http-error|errorfiles?|errorloc\d*|cookie|compression|stats|stick-table|acl|capture|declare|description|id|enabled|hash-type|hash-balance-factor|hash-preserve-affinity|force-persist|ignore-persist|persist|http-reuse|http-send-name-header|http-response|http-after-response|tcp-response|source|unique-id-.*|monitor-uri|monitor-net|monitor|email-alert|fullconn|grace|backlog|clitcpka-.*|srvtcpka-.*|dispatch|transparent|load-server-state-from-file|server-state-file-name|max-keep-alive-queue|max-session-srv-conns|maxconn|use-server|use-fcgi-app|guid|force-.*|stick|appsession|contimeout|clitimeout|srvtimeout|external-check|error-log-format|quic-initial|filter-sequence)$/;

/** Global lines with an effect on limits; all others have none. */
const GLOBAL: Readonly<Record<string, string>> = {
  maxconnrate: "it limits new connections per second",
  maxsessrate: "it limits new sessions per second",
  maxsslrate: "it limits new TLS connections per second",
  "lua-load": "its code may limit or change requests",
  "lua-load-per-thread": "its code may limit or change requests",
  "tune.stick-counters": "",
};

const OPEN: Readonly<Record<string, string>> = {
  "rate-limit": "it limits new sessions per second, and a log has requests",
  block: "it refuses requests before they are counted",
  disabled: "this proxy takes no requests",
};

const EDITS = /^(?:req|rsp)i?(?:rep|del|add|deny|allow|pass|tarpit)$/;

export function roleOf({ words: [first = "", second = ""] }: Line, section: Section): ReadRole {
  if (section.kind === "global") {
    const consequence = GLOBAL[first];
    return consequence === undefined || consequence === ""
      ? IRRELEVANT
      : misunderstood(consequence);
  }
  if (IRRELEVANT_SECTIONS.test(section.kind)) return IRRELEVANT;
  const consequence = OPEN[first];
  if (consequence !== undefined) return misunderstood(consequence);
  if (first === "filter")
    return /^(?:compression|trace|cache|bwlim-.*|comp-req|comp-res)$/.test(second)
      ? IRRELEVANT
      : misunderstood("its program may refuse or change requests");
  if (/^(?:http-request|tcp-request|use_backend|default_backend)$/.test(first))
    return misunderstood(
      "requests are taken to come by another frontend; --set frontend=NAME names it",
    );
  if (first === "redirect") return IRRELEVANT; // after all rules that count
  if (EDITS.test(first))
    return misunderstood("it refuses or changes requests before they are counted");
  return IRRELEVANT_NAMES.test(first)
    ? IRRELEVANT
    : misunderstood(
        "this reader does not know it; if it limits or moves requests, the result is wrong",
      );
}
