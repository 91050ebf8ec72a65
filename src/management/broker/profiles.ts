// Authentication profiles of the identity broker (MGT-6, MGT-7, MGT-11, MGT-C4).
import { z } from "zod";
import { alsoWrongIn, changed, deleted, found, made, type Making } from "../changes.ts";
import { text } from "../families/fields.ts";
import { changedProfile, profile, profiles, shownProfile } from "../families/profile.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import type { Management } from "../management.ts";
import { operation, type Answer } from "../operation.ts";
import { shownOf } from "../pieces.ts";
import type { Stored } from "../records/records.ts";

const ALL = "/api/profiles";
const ONE = `${ALL}/{id}`;

const told = <Data extends z.ZodType>(data: Data) =>
  z.strictObject({ Status: z.literal("ok"), ID: text, Data: data });

const toldOne = (management: Management, status: number, stored: Stored): Answer => ({
  status,
  body: { Status: "ok", ID: stored.id, Data: shownProfile(management, stored) },
  headers: { ETag: etagOf(stored) },
});

export const listProfiles = operation({
  interface: "broker",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listProfiles",
  summary: "List authentication profiles in the order of their ids",
  requirements: ["MGT-11", "MGT-C8"],
  body: null,
  query: null,
  answers: { 200: told(z.array(profile)) },
  answer: async (management) => {
    const { shown: Data } = await shownOf(management.records, "profiles", null, (each) =>
      shownProfile(management, each),
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

const CREATING = {
  interface: "broker",
  method: "POST",
  needs: "write",
  requirements: ["MGT-11", "MGT-C8"],
  body: changedProfile,
  query: null,
  answers: { 201: told(profile) },
  headers: VERSIONED,
  refuses: [409],
  alsoWrong: alsoWrongIn(profiles, null),
} as const;

const createdBy = async (management: Management, making: Making) => {
  const { stored } = await made(management, profiles, making);
  return toldOne(management, 201, stored);
};

export const createProfile = operation({
  ...CREATING,
  path: ALL,
  id: "createProfile",
  summary: "Create an authentication profile",
  example: { ID: "developers", ...EXAMPLE },
  answer: (management, { body, who }) =>
    createdBy(management, { body, who, what: "createProfile" }),
});

export const createProfileNamed = operation({
  ...CREATING,
  path: ONE,
  id: "createProfileNamed",
  summary: "Create an authentication profile of this id",
  example: EXAMPLE,
  answer: (management, { params, body, who }) =>
    createdBy(management, { body, id: params["id"]!, who, what: "createProfileNamed" }),
});

export const readProfile = operation({
  interface: "broker",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readProfile",
  summary: "Read an authentication profile",
  requirements: ["MGT-7", "MGT-11", "MGT-C8"],
  body: null,
  query: null,
  answers: { 200: told(profile) },
  headers: VERSIONED,
  answer: async (management, { params }) =>
    toldOne(management, 200, await found(management, profiles, params["id"]!)),
});

export const updateProfile = operation({
  interface: "broker",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateProfile",
  summary: "Change an authentication profile; what is left out stays, null clears",
  requirements: ["MGT-7", "MGT-11", "MGT-C5", "MGT-C8"],
  body: changedProfile,
  query: null,
  answers: { 200: told(profile) },
  headers: VERSIONED,
  example: { Name: "All developers" },
  alsoWrong: alsoWrongIn(profiles, "id"),
  answer: async (management, { params, body, ifMatch, who }) => {
    const changing = { body, id: params["id"]!, ifMatch, who, what: "updateProfile" };
    const { stored } = await changed(management, profiles, changing);
    return toldOne(management, 200, stored);
  },
});

export const deleteProfile = operation({
  interface: "broker",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteProfile",
  summary: "Delete an authentication profile for good",
  requirements: ["MGT-6", "MGT-7", "MGT-C4"],
  body: null,
  query: null,
  answers: { 200: told(z.strictObject({})) },
  answer: async (management, { params, ifMatch, who }) => {
    const id = params["id"]!;
    await deleted(management, profiles, { id, ifMatch, who, what: "deleteProfile" });
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
