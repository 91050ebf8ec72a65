// Authentication profiles of the identity broker (MGT-6, MGT-7, MGT-11, MGT-C4).
import { z } from "zod";
import {
  furtherProblemsIn,
  updateRecord,
  deleteRecord,
  requireRecord,
  createRecord,
  type RecordCreation,
} from "../changes.ts";
import { text } from "../families/fields.ts";
import { changedProfile, profile, profiles, profileView } from "../families/profile.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import type { Management } from "../management.ts";
import { operation, type Operation, type OperationResponse } from "../operation.ts";
import { listShown } from "../pieces.ts";
import type { Stored } from "../records/records.ts";

const ALL = "/api/profiles";
const ONE = `${ALL}/{id}`;

const responseSchema = <Data extends z.ZodType>(data: Data) =>
  z.strictObject({ Status: z.literal("ok"), ID: text, Data: data });

const profileResponse = (
  management: Management,
  status: number,
  stored: Stored,
): OperationResponse => ({
  status,
  body: { Status: "ok", ID: stored.id, Data: profileView(management, stored) },
  headers: { ETag: etagOf(stored) },
});

const listProfiles = operation({
  interface: "broker",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listProfiles",
  summary: "List authentication profiles in the order of their ids",
  requirements: ["MGT-11", "MGT-C8"],
  body: null,
  query: null,
  answers: { 200: responseSchema(z.array(profile)) },
  respond: async (management) => {
    const { shown: Data } = await listShown(management.records, "profiles", null, (each) =>
      profileView(management, each),
    );
    return { status: 200, body: { Status: "ok", ID: "", Data } };
  },
});

const EXAMPLE = {
  Name: "Developers",
  ActionType: "GenerateOrLoginDeveloperProfile",
  Type: "redirect",
  ProviderName: "SocialProvider",
};

const CREATION = {
  interface: "broker",
  method: "POST",
  needs: "write",
  requirements: ["MGT-11", "MGT-C8"],
  body: changedProfile,
  query: null,
  answers: { 201: responseSchema(profile) },
  headers: VERSIONED,
  refuses: [409],
  furtherProblems: furtherProblemsIn(profiles, null),
} as const satisfies Partial<Operation<z.infer<typeof changedProfile>, null>>;

const createWith = async (management: Management, creation: RecordCreation) => {
  const { stored } = await createRecord(management, profiles, creation);
  return profileResponse(management, 201, stored);
};

const createProfile = operation({
  ...CREATION,
  path: ALL,
  id: "createProfile",
  summary: "Create an authentication profile",
  example: { ID: "developers", ...EXAMPLE },
  respond: (management, { body, actor }) =>
    createWith(management, { body, actor, operation: "createProfile" }),
});

const createProfileNamed = operation({
  ...CREATION,
  path: ONE,
  id: "createProfileNamed",
  summary: "Create an authentication profile of this id",
  example: EXAMPLE,
  respond: (management, { params, body, actor }) =>
    createWith(management, { body, id: params["id"]!, actor, operation: "createProfileNamed" }),
});

const readProfile = operation({
  interface: "broker",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readProfile",
  summary: "Read an authentication profile",
  requirements: ["MGT-7", "MGT-11", "MGT-C8"],
  body: null,
  query: null,
  answers: { 200: responseSchema(profile) },
  headers: VERSIONED,
  respond: async (management, { params }) =>
    profileResponse(management, 200, await requireRecord(management, profiles, params["id"]!)),
});

const updateProfile = operation({
  interface: "broker",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateProfile",
  summary: "Change an authentication profile; unset fields stay, null clears",
  requirements: ["MGT-7", "MGT-11", "MGT-C5", "MGT-C8"],
  body: changedProfile,
  query: null,
  answers: { 200: responseSchema(profile) },
  headers: VERSIONED,
  example: { Name: "All developers" },
  furtherProblems: furtherProblemsIn(profiles, "id"),
  respond: async (management, { params, body, ifMatch, actor }) => {
    const change = { body, id: params["id"]!, ifMatch, actor, operation: "updateProfile" };
    const { stored } = await updateRecord(management, profiles, change);
    return profileResponse(management, 200, stored);
  },
});

const deleteProfile = operation({
  interface: "broker",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteProfile",
  summary: "Delete an authentication profile for good",
  requirements: ["MGT-6", "MGT-7", "MGT-C4"],
  body: null,
  query: null,
  answers: { 200: responseSchema(z.strictObject({})) },
  respond: async (management, { params, ifMatch, actor }) => {
    const id = params["id"]!;
    await deleteRecord(management, profiles, { id, ifMatch, actor, operation: "deleteProfile" });
    return { status: 200, body: { Status: "ok", ID: id, Data: {} } };
  },
});

export const PROFILES = [
  listProfiles,
  createProfile,
  createProfileNamed,
  readProfile,
  updateProfile,
  deleteProfile,
];
