import { entries, type Requirement } from "./requirement.ts";

export const EVENT_REQUIREMENTS: readonly Requirement[] = [
  ...entries("required", "built", [
    [
      "EVT-1",
      "Events",
      "Each change of an allowance emits one smoothing event, and nothing else emits one.",
    ],
    [
      "EVT-2",
      "Events",
      "A webhook is called for the event types it lists; AccessRequestApproved may be listed.",
    ],
    [
      "EVT-3",
      "Resources, webhook",
      "The call goes to the webhook's URL by its method, with its headers, and is given up after its timeout.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "EVT-C1",
      "Events",
      "Webhooks may list the limiter's events and the portal's known ones; other names are refused.",
    ],
    [
      "EVT-C2",
      "Events",
      "Deliveries are signed, repeated with growing waits and finally kept as dead letters. They never slow a request, and repeated refusals are merged.",
    ],
    [
      "EVT-C3",
      "Resources, webhook",
      "Deliveries do not reach inner addresses unless allowed: the address is checked at the moment of connecting, and redirects are not followed.",
    ],
  ]),
];
