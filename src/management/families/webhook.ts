// A webhook of the developer portal (MGT-9, EVT-2, EVT-3).
import { z } from "zod";
import { nearest } from "../../reading/problems.ts";
import { targetOf } from "../../world/target.ts";
import type { JsonObject } from "../json.ts";
import type { RecordType } from "../record-type.ts";
import type { Stored } from "../records/records.ts";
import { listOf, table, text, whole } from "./fields.ts";
import { EVENTS } from "../events/names.ts";

/** EVT-C3 */
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const LEAST_TIMEOUT = 1;
const MOST_TIMEOUT = 30;
const RESERVED = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
]);
/** They speak of the connection, of proxies on the way, or of a conversation that no delivery is. */
const UNSENDABLE = /^(?:expect|upgrade|keep-alive|te|trailer|proxy|proxy-.*)$/i;

const fields = {
  ID: text,
  Name: text,
  URL: text,
  Method: z.enum(METHODS, `is one of ${METHODS.join(", ")}`),
  Timeout: whole(LEAST_TIMEOUT, MOST_TIMEOUT),
  Events: listOf(
    z.enum(EVENTS, { error: ({ input }) => notAnEvent(input) }),
    "is a list of events",
  ),
};

/** As a list answers it. The secret is never told again. */
export const webhook = table("a webhook", {
  ...fields,
  Headers: z.array(table("a header", { ID: text, Name: text, Value: text })),
});
export type Webhook = z.infer<typeof webhook>;

export const datedWebhook = webhook.extend({ CreatedAt: text, UpdatedAt: text });

const URL_WORDS = "is an http or https address without a user name";
const receiver = text
  .refine((said) => typeof targetOf(said.split(/[?#]/, 1)[0]!) !== "string", URL_WORDS)
  .meta({ format: "uri" });

const headerName = text
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is a name of a header")
  .refine((said) => !RESERVED.has(said.toLowerCase()), "is a header that the gateway writes itself")
  .refine((said) => !UNSENDABLE.test(said), "is a header that no delivery can have");
const headerValue = text.regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  "holds no line break, and no letters beyond Latin-1",
);
const header = table("a header", { Name: headerName, Value: headerValue, ID: text.optional() });

const SHORTEST_SECRET = 16;
const TOO_SHORT = `has at least ${SHORTEST_SECRET} letters; make one with: openssl rand -base64 24`;

/** Null clears to what stands in `CLEARED` (MGT-C5). The secret is only ever written. */
export const changedWebhook = table("a webhook", {
  ID: text,
  Name: text.nullable(),
  URL: receiver,
  Method: fields.Method.nullable(),
  Timeout: fields.Timeout.nullable(),
  Events: fields.Events.nullable(),
  Headers: listOf(header, "is a list of headers").nullable(),
  Secret: text.min(SHORTEST_SECRET, TOO_SHORT).nullable(),
}).partial();
export const newWebhook = changedWebhook.extend({ URL: receiver });

const NEVER = "0001-01-01T00:00:00Z";
const CLEARED = { Name: "", Method: "POST", Timeout: 10, Headers: [], Events: [] } as const;

export const webhooks: RecordType = {
  name: "webhooks",
  unknownMessage: "Webhook not found",
  conflictMessage: "The id of this webhook is taken",
  idAt: ["ID"],
  idIn: (document) => document["ID"],
  prepare: ({ nowUs, newId }, _, said, before) => {
    const now = new Date(nowUs() / 1_000).toISOString();
    const headers = said["Headers"];
    const named = Array.isArray(headers)
      ? {
          Headers: (headers as JsonObject[]).map((each) =>
            "ID" in each ? each : { ID: newId(), ...each },
          ),
        }
      : {};
    const CreatedAt = before?.document["CreatedAt"] ?? now;
    const document = { ...said, ...named, CreatedAt, UpdatedAt: now };
    return { document, foundBy: { unique: null, text: null }, problems: [] };
  },
};

type Kept = Pick<Stored, "id" | "document">;

export function shownWebhook(stored: Kept): Webhook {
  const { CreatedAt: _, UpdatedAt: _also, ...shown } = shownDated(stored);
  return shown;
}

export function shownDated({ id, document }: Kept): z.infer<typeof datedWebhook> {
  const { Secret: _, ...told } = document;
  return {
    CreatedAt: NEVER,
    UpdatedAt: NEVER,
    URL: "",
    ...CLEARED,
    ...told,
    ID: id,
  } as unknown as z.infer<typeof datedWebhook>;
}

function notAnEvent(said: unknown): string {
  const meant = typeof said === "string" && said.length <= 64 ? nearest(said, EVENTS) : null;
  return meant === null ? "is no event that there is" : `is no event; did you mean "${meant}"?`;
}
