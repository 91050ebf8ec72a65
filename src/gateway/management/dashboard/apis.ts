// API definitions in the dashboard API (MGT-C8): OAS if a body has `openapi`, else classic.
import { z } from "zod";
import {
  furtherProblemsIn,
  updateRecord,
  deleteRecord,
  requireRecord,
  createRecord,
} from "../changes.ts";
import { api, apis } from "../families/api.ts";
import { text, byPage, pageOf, pagesOf } from "../families/fields.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import { operation } from "../operation.ts";
import { listShown } from "../pieces.ts";
import { done, doneWith, warningsMeta, warningsOrNull } from "../status.ts";

const ALL = "/api/apis";
const ONE = `${ALL}/{id}`;

/** A definition is returned as it was sent, so the id is a separate field. */
const listed = z.strictObject({
  apis: z.array(z.strictObject({ id: text, api_definition: api })),
  pages: z.int(),
});

const listApis = operation({
  interface: "dashboard",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listApis",
  summary: "List API definitions in the order of their ids",
  requirements: ["MGT-C3", "MGT-C8"],
  body: null,
  query: byPage,
  answers: { 200: listed },
  respond: async ({ records, features }, { query: { p } }) => {
    const page = pageOf(p, features.pageSize);
    const all = await listShown(records, "apis", page, ({ id, document }) => ({
      id,
      api_definition: document,
    }));
    return { status: 200, body: { apis: all.shown, pages: pagesOf(all, page) } };
  },
});

const CREATED = "API created";

const createApi = operation({
  interface: "dashboard",
  method: "POST",
  needs: "write",
  path: ALL,
  id: "createApi",
  summary: "Create an API from a classic definition, or from an OAS document",
  requirements: ["MGT-C5", "MGT-C8"],
  body: api,
  query: null,
  answers: {
    200: done(z.literal(CREATED), text).extend({ Warnings: z.array(text).optional() }),
  },
  headers: VERSIONED,
  refuses: [409],
  example: {
    api_id: "orders",
    name: "Orders",
    proxy: { listen_path: "/orders", target_url: "http://127.0.0.1:9000" },
    global_rate_limit: { rate: 100, per: 60 },
  },
  furtherProblems: furtherProblemsIn(apis, null),
  respond: async (management, { body, actor }) => {
    const { stored, warnings } = await createRecord(management, apis, {
      body,
      actor,
      operation: "createApi",
    });
    const optionalWarnings = warnings.length === 0 ? {} : { Warnings: warnings };
    return {
      status: 200,
      body: { ...doneWith(CREATED, stored.id), ...optionalWarnings },
      headers: { ETag: etagOf(stored) },
    };
  },
});

const readApi = operation({
  interface: "dashboard",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readApi",
  summary: "Read an API definition",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: api },
  headers: VERSIONED,
  respond: async (management, { params }) => {
    const stored = await requireRecord(management, apis, params["id"]!);
    return { status: 200, body: stored.document, headers: { ETag: etagOf(stored) } };
  },
});

const UPDATED = "API updated";

const updateApi = operation({
  interface: "dashboard",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateApi",
  summary: "Change an API; unset fields stay, null clears, and another form replaces it",
  requirements: ["MGT-C5", "MGT-C8"],
  body: api,
  query: null,
  answers: { 200: done(z.literal(UPDATED), warningsOrNull) },
  headers: VERSIONED,
  refuses: [409],
  example: { global_rate_limit: { rate: 50, per: 60 } },
  furtherProblems: furtherProblemsIn(apis, "id"),
  respond: async (management, { params, body, ifMatch, actor }) => {
    const change = { body, id: params["id"]!, ifMatch, actor, operation: "updateApi" };
    const { stored, warnings } = await updateRecord(management, apis, change);
    return {
      status: 200,
      body: doneWith(UPDATED, warningsMeta(warnings)),
      headers: { ETag: etagOf(stored) },
    };
  },
});

const DELETED = "API deleted";

const deleteApi = operation({
  interface: "dashboard",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteApi",
  summary: "Delete an API for good",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: done(z.literal(DELETED), z.null()) },
  refuses: [409],
  respond: async (management, { params, ifMatch, actor }) => {
    await deleteRecord(management, apis, {
      id: params["id"]!,
      ifMatch,
      actor,
      operation: "deleteApi",
    });
    return { status: 200, body: doneWith(DELETED, null) };
  },
});

export const APIS = [listApis, createApi, readApi, updateApi, deleteApi];
