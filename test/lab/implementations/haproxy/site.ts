// A small site of HAProxy, for the tests of its reader.
import { HAPROXY_READER } from "#src/lab/implementations/haproxy/read.ts";
import type { ReadConfiguration } from "#src/lab/implementations/reading.ts";
import { mustRead, play, type ReadInput, type Sent } from "../read-and-play.ts";

export const read = (text: string, input?: ReadInput): ReadConfiguration =>
  mustRead(HAPROXY_READER, text, input);

/** A frontend with lines, and a table of addresses. */
export const site = (...lines: readonly string[]): string =>
  [
    "frontend web",
    "  bind :80",
    ...lines.map((line) => `  ${line}`),
    "  default_backend app",
    "backend app",
    "  server a 127.0.0.1:8080",
    "backend addresses",
    "  stick-table type ip size 100k expire 60s store http_req_rate(10s)",
  ].join("\n");

export const decisions = (text: string, requests: readonly Sent[], input?: ReadInput): string =>
  play(read(text, input), requests);
