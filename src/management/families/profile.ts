// An authentication profile of the identity broker (MGT-11).
import type { z } from "zod";
import type { RecordType } from "../record-type.ts";
import type { Management } from "../management.ts";
import type { Stored } from "../records/records.ts";
import { unsealReadable } from "../sealed.ts";
import { namedTexts, object, table, text, yesOrNo } from "./fields.ts";

const handler = table("IdentityHandlerConfig", {
  "oauth-client-id": text,
  "oauth-client-secret": text,
  "oauth-client-base-url": text,
});
const constraints = table("ProviderConstraints", { Domain: text, Group: text });

/** As it is answered: every field is there. */
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
  UserGroupMapping: namedTexts,
  UserGroupSeparator: text,
  SSOOnlyForRegisteredUsers: yesOrNo,
});
export type Profile = z.infer<typeof profile>;

/** Every field may be left out, and null clears what stands there (MGT-C5). */
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
  UserGroupMapping: namedTexts.nullable(),
  UserGroupSeparator: text.nullable(),
  SSOOnlyForRegisteredUsers: yesOrNo.nullable(),
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

/** The client's secret is kept sealed. */
export function shownProfile(management: Management, { id, document }: Stored): Profile {
  const kept = unsealReadable(management, "profiles", id, document) as Partial<Profile>;
  return {
    ...CLEARED,
    ...kept,
    ID: id,
    IdentityHandlerConfig: { ...NO_HANDLER, ...kept.IdentityHandlerConfig },
    ProviderConstraints: { ...NO_CONSTRAINTS, ...kept.ProviderConstraints },
  };
}
