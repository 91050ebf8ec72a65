// A webhook of the developer portal (MGT-9, EVT-2, EVT-3).
import { z } from "zod";
import { int32, table, text } from "./fields.ts";

/** EVT-C1: the limiter's own, and the portal's. */
export const EVENTS = [
  "RateLimitSmoothingUp",
  "RateLimitSmoothingDown",
  "RatelimitExceeded",
  "QuotaExceeded",
  "PolicyMissing",
  "StoreUnavailable",
  "StoreRecovered",
  "AccessRequestApproved",
  "AccessRequestRejected",
  "AccessRequestCreated",
  "OrganisationRequestCreated",
  "UserRegistered",
  "OrganisationRequestApproved",
  "OrganisationRequestRejected",
  "PasswordReset",
  "RegisterInvite",
  "UserAccountActivated",
  "UserAccountDeactivated",
  "ApplicationRegistered",
  "CredentialRegistered",
  "OrganisationRegistered",
] as const;

export const webhook = table("a webhook", {
  ID: text,
  Name: text,
  URL: text,
  Method: text,
  Timeout: int32,
  Headers: z.array(table("a header", { ID: text, Name: text, Value: text })),
  Events: z.array(z.enum(EVENTS)),
});
export type Webhook = z.infer<typeof webhook>;
