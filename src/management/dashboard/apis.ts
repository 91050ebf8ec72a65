// API definitions, by the dashboard (MGT-C8): classic, or OAS where a body has `openapi`.
import { z } from "zod";
import { alsoWrongIn, changed, deleted, found, made } from "../changes.ts";
import { api, apis } from "../families/api.ts";
import { text } from "../families/fields.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import { operation } from "../operation.ts";
import { byPage, pageOf, pagesOf } from "../paging.ts";
import { shownOf } from "../pieces.ts";
import { done, doneWith, warned, warningsOrNull } from "../status.ts";

const ALL = "/api/apis";
const ONE = `${ALL}/{id}`;

/** A definition is shown as it was pasted, so its id stands beside it. */
const listed = z.strictObject({
  apis: z.array(z.strictObject({ id: text, api_definition: api })),
  pages: z.int(),
});

export const listApis = operation({
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
  answer: async ({ records, features }, { query: { p } }) => {
    const page = pageOf(p, features.pageSize);
    const all = await shownOf(records, "apis", page, ({ id, document }) => ({
      id,
      api_definition: document,
    }));
    return { status: 200, body: { apis: all.shown, pages: pagesOf(all, page) } };
  },
});

const CREATED = "API created";

export const createApi = operation({
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
  alsoWrong: alsoWrongIn(apis, null),
  answer: async (management, { body, who }) => {
    const { stored, warnings } = await made(management, apis, { body, who, what: "createApi" });
    const beside = warnings.length === 0 ? {} : { Warnings: warnings };
    return {
      status: 200,
      body: { ...doneWith(CREATED, stored.id), ...beside },
      headers: { ETag: etagOf(stored) },
    };
  },
});

export const readApi = operation({
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
  answer: async (management, { params }) => {
    const stored = await found(management, apis, params["id"]!);
    return { status: 200, body: stored.document, headers: { ETag: etagOf(stored) } };
  },
});

const UPDATED = "API updated";

export const updateApi = operation({
  interface: "dashboard",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateApi",
  summary: "Change an API; what is left out stays, null clears, and another form replaces it",
  requirements: ["MGT-C5", "MGT-C8"],
  body: api,
  query: null,
  answers: { 200: done(z.literal(UPDATED), warningsOrNull) },
  headers: VERSIONED,
  refuses: [409],
  example: { global_rate_limit: { rate: 50, per: 60 } },
  alsoWrong: alsoWrongIn(apis, "id"),
  answer: async (management, { params, body, ifMatch, who }) => {
    const changing = { body, id: params["id"]!, ifMatch, who, what: "updateApi" };
    const { stored, warnings } = await changed(management, apis, changing);
    return {
      status: 200,
      body: doneWith(UPDATED, warned(warnings)),
      headers: { ETag: etagOf(stored) },
    };
  },
});

const DELETED = "API deleted";

export const deleteApi = operation({
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
  answer: async (management, { params, ifMatch, who }) => {
    await deleted(management, apis, { id: params["id"]!, ifMatch, who, what: "deleteApi" });
    return { status: 200, body: doneWith(DELETED, null) };
  },
});

export const APIS = [listApis, createApi, readApi, updateApi, deleteApi];
