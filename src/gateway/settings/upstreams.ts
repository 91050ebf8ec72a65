// Settings about failing upstreams. `health.path` turns on health checks; `circuit.failures`, circuit breakers.
import { urlPath, count, timeout, yesOrNo } from "./shapes.ts";
import { durationAbove0 } from "../../kit/reading/duration.ts";
import { oneOf } from "../../kit/reading/shape.ts";
import { setting } from "./setting.ts";

export const UPSTREAMS = {
  upstream_client: setting(oneOf(["weir", "undici"]), "weir", {
    doc: "Client that sends requests to upstreams. weir refuses every response that could be read in two ways; undici reads some of them, and needs more processor time.",
  }),
  "health.path": setting(urlPath, null, {
    doc: "Path that each upstream is checked with; after two checks in a row without a 2xx or 3xx it gets no requests until one succeeds. No checks if unset.",
  }),
  "health.interval": setting(timeout, "5s", {
    doc: "How often each upstream is checked.",
  }),
  "health.timeout": setting(timeout, "2s", {
    doc: "How long a check waits for its response.",
  }),
  "circuit.failures": setting(count, null, {
    doc: "Number of requests in a row without a response after which an upstream gets none for `circuit.open`; then one request decides. No circuit breaking if unset.",
  }),
  "circuit.open": setting(durationAbove0, "10s", {
    doc: "Time that an upstream without responses gets no requests.",
  }),
  retries: setting(yesOrNo, true, {
    doc: "Whether an idempotent request is sent once more if its connection closes before any response: GET, HEAD, OPTIONS, PUT and DELETE with a body of 16 KiB at most.",
  }),
} as const;
