// The events that a webhook can list.

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

export type EventName = (typeof EVENTS)[number];
