// Settings about headers: which request headers are forwarded, and which hosts management requests may name.
import { listOf, oneOf, shape, type Shape } from "../../kit/reading/shape.ts";
import { setting } from "./setting.ts";

const HOST = /^(?:\*|(?:\*\.)?[A-Za-z0-9._-]+|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)$/;

/** A host without a port, because one host may be served on several ports. */
const host: Shape<string> = shape(
  "a name or an address without a port, a name that begins with *., or *",
  { type: "string", pattern: HOST.source },
  (value) => (typeof value === "string" && HOST.test(value) ? value.toLowerCase() : undefined),
  'write "weir.example.com", "*.example.com", "10.0.0.7", or "*" to check nothing',
);

export const HEADER_SETTINGS = {
  "headers.underscores": setting(oneOf(["drop", "pass"]), "drop", {
    doc: "Headers of requests whose names have an underscore, or anything else but letters, digits and hyphens. CGI, WSGI and PHP read X_Forwarded_For as X-Forwarded-For; pass forwards such headers, except those that would be read as a header that is not forwarded.",
  }),
  "admin.hosts": setting(listOf(host), [], {
    doc: "Further hosts that requests to the admin listener, the interfaces and /metrics may name. Any other host gets 421, because a web page can point a name of its own at this address. Always accepted: names of this machine (localhost), the address that received the connection, and `admin.host`. * accepts every host.",
    takesEffect: "reload",
  }),
} as const;
