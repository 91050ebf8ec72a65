// An authentication profile of the identity broker (MGT-11).
import { z } from "zod";
import { object, table, text, yesOrNo } from "./fields.ts";

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
  IdentityHandlerConfig: table("IdentityHandlerConfig", {
    "oauth-client-id": text,
    "oauth-client-secret": text,
    "oauth-client-base-url": text,
  }).partial(),
  ProviderConstraints: table("ProviderConstraints", { Domain: text, Group: text }).partial(),
  ReturnURL: text,
  DefaultUserGroupID: text,
  CustomUserGroupField: text,
  UserGroupMapping: z.record(z.string(), text, { error: "is a map from names to texts" }),
  UserGroupSeparator: text,
  SSOOnlyForRegisteredUsers: yesOrNo,
}).partial();
export type Profile = z.infer<typeof profile>;
