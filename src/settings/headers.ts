// What headers of requests may be, and under which names the gateway is managed.
import { listOf, oneOf, shape, type Shape } from "../reading/shape.ts";
import { setting } from "./setting.ts";

const HOST = /^(?:\*|(?:\*\.)?[A-Za-z0-9._-]+|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$/;

/** Without its port: one host is served on several. */
const host: Shape<string> = shape(
  "a name or an address without a port, a name that begins with *., or *",
  { type: "string", pattern: HOST.source },
  (value) => (typeof value === "string" && HOST.test(value) ? value.toLowerCase() : undefined),
  'write "weir.example.com", "*.example.com", "10.0.0.7", or "*" to check nothing',
);

export const HEADER_SETTINGS = {
  "headers.underscores": setting(oneOf(["drop", "pass"]), "drop", {
    value: "drop|pass",
    doc: "Headers of requests whose names have an underscore, or anything else but letters, digits and hyphens. CGI, WSGI and PHP read X_Forwarded_For as X-Forwarded-For; pass sends on those that read so are none of what stays here.",
  }),
  "admin.hosts": setting(listOf(host), [], {
    value: "HOST,...",
    doc: "Further hosts by which the admin listener, every interface and /metrics may be addressed; else the request gets 421, because a web page may have made a name of its own lead here. Names of this machine (localhost), the address that a connection came in at and `admin.host` are known. * checks nothing.",
    takesEffect: "reload",
  }),
} as const;
