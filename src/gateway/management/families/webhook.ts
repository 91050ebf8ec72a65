// A webhook of the developer portal (MGT-9, EVT-2, EVT-3).
import { z } from "zod";
import { isFailure } from "../../../kit/reading/failure.ts";
import { nearest } from "../../../kit/reading/problems.ts";
import { targetOf } from "../../../limiter/world/target.ts";
import type { JsonObject } from "../json.ts";
import type { RecordType } from "../record-type.ts";
import type { Stored } from "../records/records.ts";
import { listOf, table, text, integer } from "./fields.ts";
import { EVENTS } from "../events/names.ts";

/** the methods of EVT-C3 */
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
/** Headers that no delivery can have: they describe the connection, a proxy or an exchange of several messages. */
const UNSENDABLE = /^(?:expect|upgrade|keep-alive|te|trailer|proxy|proxy-.*)$/i;

const fields = {
  ID: text,
  Name: text,
  URL: text,
  Method: z.enum(METHODS, `is one of ${METHODS.join(", ")}`),
  Timeout: integer(LEAST_TIMEOUT, MOST_TIMEOUT),
  Events: listOf(
    z.enum(EVENTS, { error: ({ input }) => unknownEventMessage(input) }),
    "is a list of events",
  ),
};

/** A webhook in a response: its secret is never included. */
export const webhook = table("a webhook", {
  ...fields,
  Headers: z.array(table("a header", { ID: text, Name: text, Value: text })),
});
export type Webhook = z.infer<typeof webhook>;

export const webhookWithDates = webhook.extend({ CreatedAt: text, UpdatedAt: text });

const URL_WORDS = "is an http or https address without a user name";
const receiver = text
  .refine((url) => !isFailure(targetOf(url.split(/[?#]/, 1)[0]!)), URL_WORDS)
  .meta({ format: "uri" });

const headerName = text
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, "is a name of a header")
  .refine((name) => !RESERVED.has(name.toLowerCase()), "is a header that the gateway writes itself")
  .refine((name) => !UNSENDABLE.test(name), "is a header that no delivery can have");
const headerValue = text.regex(
  /^[\t\x20-\x7e\x80-\xff]*$/,
  "holds no line break, and no letters beyond Latin-1",
);
const header = table("a header", { Name: headerName, Value: headerValue, ID: text.optional() });

const SHORTEST_SECRET = 16;
const TOO_SHORT = `has at least ${SHORTEST_SECRET} letters; make one with: openssl rand -base64 24`;

/** Null resets a field to its value in `CLEARED` (MGT-C5). The secret can be set, but never read. */
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
  prepare: ({ nowUs, newId }, _, body, before) => {
    const now = new Date(nowUs() / 1_000).toISOString();
    const headers = body["Headers"];
    const namedHeaders = Array.isArray(headers)
      ? {
          Headers: (headers as JsonObject[]).map((each) =>
            "ID" in each ? each : { ID: newId(), ...each },
          ),
        }
      : {};
    const CreatedAt = before?.document["CreatedAt"] ?? now;
    const document = { ...body, ...namedHeaders, CreatedAt, UpdatedAt: now };
    return { document, foundBy: { unique: null, text: null }, problems: [] };
  },
};

type StoredWebhook = Pick<Stored, "id" | "document">;

export function webhookView(stored: StoredWebhook): Webhook {
  const { CreatedAt: _, UpdatedAt: _also, ...shown } = webhookViewWithDates(stored);
  return shown;
}

export function webhookViewWithDates({
  id,
  document,
}: StoredWebhook): z.infer<typeof webhookWithDates> {
  const { Secret: _, ...visible } = document;
  return {
    CreatedAt: NEVER,
    UpdatedAt: NEVER,
    URL: "",
    ...CLEARED,
    ...visible,
    ID: id,
  } as unknown as z.infer<typeof webhookWithDates>;
}

function unknownEventMessage(event: unknown): string {
  const suggestion =
    typeof event === "string" && event.length <= 64 ? nearest(event, EVENTS) : null;
  return suggestion === null
    ? "is not the name of an event"
    : `is not the name of an event; did you mean "${suggestion}"?`;
}
