// One attempt to deliver: what goes over the wire (EVT-3, EVT-C2). Names and form of the three headers are those of
// the Standard Webhooks specification, so that its libraries can check them.
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
  readonly timeoutUs: number; // for all of it
}

/** HMAC-SHA256 of a text, in base64. */
export type Sign = (secret: string, text: string) => string;

const SAID: Readonly<Record<EventName, string>> = {
  RateLimitSmoothingUp: "Smoothing has raised an allowance",
  RateLimitSmoothingDown: "Smoothing has lowered an allowance",
  RatelimitExceeded: "Requests were refused because a rate limit was exceeded",
  QuotaExceeded: "Requests were refused because a quota was spent",
  PolicyMissing: "A key names a policy that does not exist",
  StoreUnavailable: "The store does not answer a gateway",
  StoreRecovered: "The store answers a gateway again",
  AccessRequestApproved: "A key was given access to an API",
  AccessRequestRejected: "Access to an API was denied",
  AccessRequestCreated: "Somebody asks for access to an API",
  OrganisationRequestCreated: "Somebody asks for an organisation",
  UserRegistered: "A user was registered",
  OrganisationRequestApproved: "An organisation was approved",
  OrganisationRequestRejected: "An organisation was rejected",
  PasswordReset: "Somebody asks for a new password",
  RegisterInvite: "Somebody was invited",
  UserAccountActivated: "A user's account was activated",
  UserAccountDeactivated: "A user's account was deactivated",
  ApplicationRegistered: "An application was registered",
  CredentialRegistered: "A key was created",
  OrganisationRegistered: "An organisation was registered",
};

const MERGED: ReadonlySet<EventName> = new Set(["RatelimitExceeded", "QuotaExceeded"]);

/** The same for each attempt, to the last byte. */
export function bodyOf(delivery: Delivery): string {
  const { event, firstUs, lastUs, api, key, path, meta, count } = delivery;
  return writeJson({
    event,
    message: SAID[event],
    timestamp: timeOf(firstUs),
    api_id: api,
    key,
    path,
    meta: MERGED.has(event) ? { ...meta, count, last: timeOf(lastUs) } : meta,
  });
}

const timeOf = (us: number): string => new Date(us / 1_000).toISOString();

/** The webhook is as it is now, whatever it was when the event happened. */
export function letterOf(
  delivery: Delivery,
  webhook: Webhook,
  secret: string | null,
  nowUs: number,
  sign: Sign,
): Letter {
  const body = bodyOf(delivery);
  const timestamp = String(Math.floor(nowUs / 1_000_000));
  const own: [string, string][] = [
    ["webhook-id", delivery.id],
    ["webhook-timestamp", timestamp],
  ];
  if (secret !== null)
    own.push(["webhook-signature", `v1,${sign(secret, `${delivery.id}.${timestamp}.${body}`)}`]);
  const { URL: url, Method: method, Headers, Timeout } = webhook;
  const theirs = Headers.map(({ Name, Value }) => [Name, Value] as const).filter(
    ([name]) => !OURS.has(name.toLowerCase()),
  );
  const said = new Set(theirs.map(([name]) => name.toLowerCase()));
  const otherwise = OTHERWISE.filter(([name]) => !said.has(name));
  return {
    delivery,
    url,
    method,
    headers: [...otherwise, ...theirs, ...own],
    body,
    timeoutUs: Timeout * 1_000_000,
  };
}

const OURS: ReadonlySet<string> = new Set(["webhook-id", "webhook-timestamp", "webhook-signature"]);

const OTHERWISE: readonly (readonly [string, string])[] = [
  ["content-type", "application/json"],
  ["user-agent", "weir"],
];
