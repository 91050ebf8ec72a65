// Settings by which a gateway process protects itself from clients. Each is off if it is unset.
import { setting } from "./setting.ts";
import { count } from "./shapes.ts";

export const PROTECTION = {
  "limits.connections_per_address": setting(count, null, {
    doc: "Open connections of one client address, per process; a further one gets 429 and is closed. Connections of `trusted_proxies` do not count. No limit if unset.",
  }),
  "limits.requests_per_address": setting(count, null, {
    doc: "Requests in flight of one client address, per process; a further one gets 429. No limit if unset.",
  }),
  "limits.requests_in_flight": setting(count, null, {
    doc: "Requests in flight of all clients, per process; a further one gets 503 with `Retry-After`. No limit if unset.",
  }),
  "limits.unknown_keys": setting(count, null, {
    doc: "Unknown keys a minute from one client address, per process; a further one gets 429 and is not looked up. No limit if unset.",
  }),
} as const;
