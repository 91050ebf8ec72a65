import { entries, type Requirement } from "./requirement.ts";

export const MANAGEMENT_REQUIREMENTS: readonly Requirement[] = [
  ...entries("required", "built", [
    [
      "MGT-1",
      "Endpoints, create a catalogue",
      "The studio creates a catalogue for a bearer token and answers 201 with an object.",
    ],
    [
      "MGT-2",
      "Endpoints, create a catalogue; Errors",
      "A studio without the feature answers 402 with a list of errors, each a title and a detail.",
    ],
    [
      "MGT-3",
      "Endpoints, search users",
      "The dashboard searches users by a query and answers the number of pages and the users, or null.",
    ],
    [
      "MGT-4",
      "Endpoints, search users",
      "The page parameter chooses a page, and a negative one returns all users.",
    ],
    [
      "MGT-5",
      "Resources, user",
      "User records have all fields of their table in the types given there.",
    ],
    [
      "MGT-6",
      "Endpoints, delete a profile",
      "The broker deletes a profile for the raw secret and returns the profile's id.",
    ],
    [
      "MGT-7",
      "Endpoints, delete a profile; Errors",
      "Broker errors have their status and one of two texts: the authorization failed, or the profile is not there.",
    ],
    [
      "MGT-8",
      "Endpoints, update a key",
      "The admin interface updates a key, takes every field of the key table and keeps it.",
    ],
    [
      "MGT-9",
      "Endpoints, list webhooks",
      "The portal lists webhooks with every field of their table.",
    ],
    ["MGT-10", "Base addresses", "Each interface has an address of its own in the settings."],
    [
      "MGT-11",
      "Resources, authentication profile",
      "Profiles have every field of their table, inner fields included.",
    ],
    [
      "MGT-12",
      "Versioning",
      "The studio's interface is version 1.0 and lives under its versioned prefix.",
    ],
  ]),
  ...entries("chosen", "built", [
    [
      "MGT-C1",
      "Endpoints",
      "Statuses are uniform over the interfaces, and a body that does not fit gets a response with all its errors by path.",
    ],
    [
      "MGT-C2",
      "Endpoints, create a catalogue",
      "Catalogues travel in an envelope of type and attributes, and the studio's errors all have one form.",
    ],
    [
      "MGT-C3",
      "Endpoints, search users",
      "The search looks for a part of a name or address in any case, sorts by address, and counts pages of ten from one.",
    ],
    [
      "MGT-C4",
      "Endpoints, delete a profile",
      "A successful deletion returns an empty object as its data.",
    ],
    [
      "MGT-C5",
      "Endpoints, update a key",
      "An update leaves unnamed fields as they are, takes effect within a second everywhere, and gives no budget back.",
    ],
    ["MGT-C6", "Errors", "Errors of the admin interface and the dashboard share one body."],
    ["MGT-C7", "Authentication", "The portal wants its token and takes parameters for pages."],
    [
      "MGT-C8",
      "Endpoints",
      "All record families can be created, read, listed, changed and deleted. What would restrict access but is not enforced makes a key refused.",
    ],
    [
      "MGT-C9",
      "Errors",
      "The gateway has one status and body for each way in which a request can be turned away.",
    ],
    [
      "MGT-C10",
      "Authentication",
      "A key has a public id and a secret that is shown once and stored hashed; the id names it everywhere.",
    ],
    [
      "MGT-C11",
      "Endpoints",
      "Operators can look at budgets without spending, test whether a request would pass, reset a budget, and run a limit as a shadow.",
    ],
  ]),
];
