// Access keys in the admin API (MGT-8, MGT-C5, MGT-C10). `{keyId}` is the public id, never the secret.
import { z } from "zod";
import {
  furtherProblemsIn,
  updateRecord,
  deleteRecord,
  requireRecord,
  createRecord,
} from "../changes.ts";
import { text, byPage, pageOf, pagesOf } from "../families/fields.ts";
import { key, keys, keyResponse } from "../families/key.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import type { JsonObject } from "../json.ts";
import type { Management } from "../management.ts";
import { operation } from "../operation.ts";
import { listShownIds } from "../pieces.ts";
import type { Stored } from "../records/records.ts";
import { unsealReadable } from "../sealed.ts";
import { done, doneWith, warningsMeta, warningsOrNull } from "../status.ts";

const ALL = "/admin/org/keys";
const ONE = `${ALL}/{keyId}`;

const keyView = (management: Management, { id, document }: Stored): JsonObject => ({
  ...unsealReadable(management, "keys", id, document),
  key_id: id,
});

const listKeys = operation({
  interface: "admin",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listKeys",
  summary: "List the ids of keys, in their order",
  requirements: ["MGT-C3", "MGT-C8"],
  body: null,
  query: byPage,
  answers: {
    200: z.strictObject({ data: z.strictObject({ keys: z.array(text) }), pages: z.int() }),
  },
  respond: async ({ records, features }, { query: { p } }) => {
    const page = pageOf(p, features.pageSize);
    const listed = await listShownIds(records, "keys", page);
    return { status: 200, body: { data: { keys: listed.shown }, pages: pagesOf(listed, page) } };
  },
});

export const createKey = operation({
  interface: "admin",
  method: "POST",
  needs: "write",
  path: ALL,
  id: "createKey",
  summary: "Create a key; its secret, `key`, is returned here and never again",
  requirements: ["MGT-C8", "MGT-C10"],
  body: key,
  query: null,
  answers: {
    200: z.strictObject({
      api_model: z.strictObject({}),
      key: text,
      key_id: text,
      key_hash: text,
      data: keyResponse,
      warnings: z.array(text).optional(),
    }),
  },
  headers: VERSIONED,
  refuses: [409],
  example: { alias: "ann", rate: 10, per: 60, access_rights: {} },
  furtherProblems: furtherProblemsIn(keys, null),
  respond: async (management, { body, actor }) => {
    const { secrets } = management;
    const secret = secrets.generate();
    const unique = secrets.hashOf(secret);
    const creation = { body, actor, operation: "createKey", unique };
    const { stored, warnings } = await createRecord(management, keys, creation);
    return {
      status: 200,
      body: {
        api_model: {},
        key: secret,
        key_id: stored.id,
        key_hash: unique,
        data: keyView(management, stored),
        ...(warnings.length === 0 ? {} : { warnings }),
      },
      headers: { ETag: etagOf(stored) },
    };
  },
});

const readKey = operation({
  interface: "admin",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readKey",
  summary: "Read a key, without its secret",
  requirements: ["MGT-C8", "MGT-C10"],
  body: null,
  query: null,
  answers: { 200: keyResponse },
  headers: VERSIONED,
  respond: async (management, { params }) => {
    const stored = await requireRecord(management, keys, params["keyId"]!);
    return { status: 200, body: keyView(management, stored), headers: { ETag: etagOf(stored) } };
  },
});

const UPDATED = "Key updated";

const updateKey = operation({
  interface: "admin",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateKey",
  summary: "Change a key; unset fields stay, null clears",
  requirements: ["MGT-8", "MGT-C5", "MGT-C10"],
  body: key,
  query: null,
  answers: { 200: done(z.literal(UPDATED), warningsOrNull).extend({ ID: text }) },
  headers: VERSIONED,
  example: { rate: 20, per: 60 },
  furtherProblems: furtherProblemsIn(keys, "keyId"),
  respond: async (management, { params, body, ifMatch, actor }) => {
    const id = params["keyId"]!;
    const change = { body, id, ifMatch, actor, operation: "updateKey" };
    const { stored, warnings } = await updateRecord(management, keys, change);
    return {
      status: 200,
      body: { ID: id, ...doneWith(UPDATED, warningsMeta(warnings)) },
      headers: { ETag: etagOf(stored) },
    };
  },
});

const DELETED = "Key deleted successfully";

const deleteKey = operation({
  interface: "admin",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteKey",
  summary: "Delete a key for good",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: done(z.literal(DELETED), z.null()).extend({ ID: text }) },
  respond: async (management, { params, ifMatch, actor }) => {
    const id = params["keyId"]!;
    await deleteRecord(management, keys, { id, ifMatch, actor, operation: "deleteKey" });
    return { status: 200, body: { ID: id, ...doneWith(DELETED, null) } };
  },
});

export const KEYS = [listKeys, createKey, readKey, updateKey, deleteKey];
