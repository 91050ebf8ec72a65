// One attempt to deliver an event, in the form that is sent (EVT-3, EVT-C2). Its three headers follow the Standard
// Webhooks specification, so that receivers can check them with existing libraries.
import type { Webhook } from "../families/webhook.ts";
import { writeJson } from "../json.ts";
import type { Delivery } from "./deliveries.ts";
import type { EventName } from "./names.ts";

export interface Letter {
  readonly delivery: Delivery;
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly timeoutUs: number; // time limit of the attempt
}

/** HMAC-SHA256 of a text, in base64. */
export type Sign = (secret: string, text: string) => string;

const MESSAGES: Readonly<Record<EventName, string>> = {
  RateLimitSmoothingUp: "Smoothing has raised an allowance",
  RateLimitSmoothingDown: "Smoothing has lowered an allowance",
  RatelimitExceeded: "Requests were refused because a rate limit was exceeded",
  QuotaExceeded: "Requests were refused because a quota was spent",
  PolicyMissing: "A key names a policy that does not exist",
  StoreUnavailable: "The store does not respond to a gateway",
  StoreRecovered: "The store responds to a gateway again",
  AccessRequestApproved: "A key was given access to an API",
  AccessRequestRejected: "Access to an API was denied",
  AccessRequestCreated: "A user requests access to an API",
  OrganisationRequestCreated: "A user requests an organisation",
  UserRegistered: "A user was registered",
  OrganisationRequestApproved: "An organisation was approved",
  OrganisationRequestRejected: "An organisation was rejected",
  PasswordReset: "A user requests a new password",
  RegisterInvite: "A user was invited",
  UserAccountActivated: "A user's account was activated",
  UserAccountDeactivated: "A user's account was deactivated",
  ApplicationRegistered: "An application was registered",
  CredentialRegistered: "A key was created",
  OrganisationRegistered: "An organisation was registered",
};

const MERGED: ReadonlySet<EventName> = new Set(["RatelimitExceeded", "QuotaExceeded"]);

/** The body, which is the same in each attempt. */
function bodyOf(delivery: Delivery): string {
  const { event, firstUs, lastUs, api, key, path, meta, count } = delivery;
  return writeJson({
    event,
    message: MESSAGES[event],
    timestamp: timeOf(firstUs),
    api_id: api,
    key,
    path,
    meta: MERGED.has(event) ? { ...meta, count, last: timeOf(lastUs) } : meta,
  });
}

const timeOf = (us: number): string => new Date(us / 1_000).toISOString();

/** Builds a letter with the present settings of the webhook, not those at the time of the event. */
export function letterOf(
  delivery: Delivery,
  webhook: Webhook,
  secret: string | null,
  nowUs: number,
  sign: Sign,
): Letter {
  const body = bodyOf(delivery);
  const timestamp = String(Math.floor(nowUs / 1_000_000));
  const ownHeaders: [string, string][] = [
    ["webhook-id", delivery.id],
    ["webhook-timestamp", timestamp],
  ];
  if (secret !== null)
    ownHeaders.push([
      "webhook-signature",
      `v1,${sign(secret, `${delivery.id}.${timestamp}.${body}`)}`,
    ]);
  const { URL: url, Method: method, Headers, Timeout } = webhook;
  const configured = Headers.map(({ Name, Value }) => [Name, Value] as const).filter(
    ([name]) => !RESERVED_HEADERS.has(name.toLowerCase()),
  );
  const configuredNames = new Set(configured.map(([name]) => name.toLowerCase()));
  const defaults = DEFAULT_HEADERS.filter(([name]) => !configuredNames.has(name));
  return {
    delivery,
    url,
    method,
    headers: [...defaults, ...configured, ...ownHeaders],
    body,
    timeoutUs: Timeout * 1_000_000,
  };
}

const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "webhook-id",
  "webhook-timestamp",
  "webhook-signature",
]);

const DEFAULT_HEADERS: readonly (readonly [string, string])[] = [
  ["content-type", "application/json"],
  ["user-agent", "weir"],
];
