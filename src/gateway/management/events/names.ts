// The events that a webhook can list.
import { WEBHOOK_EVENTS } from "../../../limiter/core/events.ts";

/** EVT-C1: the limiter's events, and those of the portal. */
export const EVENTS = [
  ...WEBHOOK_EVENTS,
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

export type EventName = (typeof EVENTS)[number];
