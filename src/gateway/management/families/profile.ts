// An authentication profile of the identity broker (MGT-11).
import type { z } from "zod";
import type { RecordType } from "../record-type.ts";
import type { Management } from "../management.ts";
import type { Stored } from "../records/records.ts";
import { unsealReadable } from "../sealed.ts";
import { stringMap, object, table, text, boolean } from "./fields.ts";

const handler = table("IdentityHandlerConfig", {
  "oauth-client-id": text,
  "oauth-client-secret": text,
  "oauth-client-base-url": text,
});
const constraints = table("ProviderConstraints", { Domain: text, Group: text });

/** A profile in a response, which has every field. */
export const profile = table("a profile", {
  ID: text,
  ActionType: text,
  Type: text,
  ProviderName: text,
  Name: text,
  OrgID: text,
  MatchedPolicyID: text,
  CustomEmailField: text,
  CustomUserIDField: text,
  ProviderConfig: object,
  IdentityHandlerConfig: handler,
  ProviderConstraints: constraints,
  ReturnURL: text,
  DefaultUserGroupID: text,
  CustomUserGroupField: text,
  UserGroupMapping: stringMap,
  UserGroupSeparator: text,
  SSOOnlyForRegisteredUsers: boolean,
});
type BrokerProfile = z.infer<typeof profile>;

/** Fields may be unset; null clears a field (MGT-C5). */
export const changedProfile = table("a profile", {
  ID: text,
  ActionType: text.nullable(),
  Type: text.nullable(),
  ProviderName: text.nullable(),
  Name: text.nullable(),
  OrgID: text.nullable(),
  MatchedPolicyID: text.nullable(),
  CustomEmailField: text.nullable(),
  CustomUserIDField: text.nullable(),
  ProviderConfig: object.nullable(),
  IdentityHandlerConfig: handler.partial().nullable(),
  ProviderConstraints: constraints.partial().nullable(),
  ReturnURL: text.nullable(),
  DefaultUserGroupID: text.nullable(),
  CustomUserGroupField: text.nullable(),
  UserGroupMapping: stringMap.nullable(),
  UserGroupSeparator: text.nullable(),
  SSOOnlyForRegisteredUsers: boolean.nullable(),
}).partial();

const NO_HANDLER = {
  "oauth-client-id": "",
  "oauth-client-secret": "",
  "oauth-client-base-url": "",
};
const NO_CONSTRAINTS = { Domain: "", Group: "" };
const CLEARED = {
  ActionType: "",
  Type: "",
  ProviderName: "",
  Name: "",
  OrgID: "",
  MatchedPolicyID: "",
  CustomEmailField: "",
  CustomUserIDField: "",
  ProviderConfig: {},
  ReturnURL: "",
  DefaultUserGroupID: "",
  CustomUserGroupField: "",
  UserGroupMapping: {},
  UserGroupSeparator: "",
  SSOOnlyForRegisteredUsers: false,
};

export const profiles: RecordType = {
  name: "profiles",
  unknownMessage: "Profile not found",
  conflictMessage: "The id of this profile is taken",
  idAt: ["ID"],
  idIn: (document) => document["ID"],
  prepare: (_, _id, document) => ({
    document,
    foundBy: { unique: null, text: null },
    problems: [],
  }),
};

/** The profile for a response, with the client's secret unsealed. */
export function profileView(management: Management, { id, document }: Stored): BrokerProfile {
  const stored = unsealReadable(management, "profiles", id, document) as Partial<BrokerProfile>;
  return {
    ...CLEARED,
    ...stored,
    ID: id,
    IdentityHandlerConfig: { ...NO_HANDLER, ...stored.IdentityHandlerConfig },
    ProviderConstraints: { ...NO_CONSTRAINTS, ...stored.ProviderConstraints },
  };
}
