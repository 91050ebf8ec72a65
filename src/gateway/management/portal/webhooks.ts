// Webhooks of the developer portal (MGT-9, MGT-C7, EVT-C1, EVT-C3).
import { z } from "zod";
import { errorAt } from "../../../kit/reading/problems.ts";
import {
  furtherProblemsIn,
  updateRecord,
  deleteRecord,
  requireRecord,
  createRecord,
} from "../changes.ts";
import { table, integerInQuery } from "../families/fields.ts";
import {
  changedWebhook,
  webhookWithDates,
  newWebhook,
  webhookViewWithDates,
  webhookView,
  webhook,
  webhooks,
} from "../families/webhook.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import type { Management } from "../management.ts";
import { operation, type OperationResponse } from "../operation.ts";
import { Rejection } from "../rejection.ts";
import { listShown } from "../pieces.ts";
import type { Page, Stored } from "../records/records.ts";
import { unsealReadable } from "../sealed.ts";

const ALL = "/portal-api/webhooks";
const ONE = `${ALL}/{id}`;

const MOST_ON_A_PAGE = 1_000;
const pages = table("the query", {
  page: integerInQuery(1, 2 ** 31 - 1),
  per_page: integerInQuery(1, MOST_ON_A_PAGE),
  limit: integerInQuery(1, MOST_ON_A_PAGE),
}).partial();

const USUAL_PAGE = 20;

/** The page of a query. Null: the complete list, as in the specification, where the query has no parameters. */
function pageIn({ page, per_page: perPage, limit }: z.infer<typeof pages>): Page | null {
  if (perPage !== undefined && limit !== undefined && perPage !== limit) {
    const conflict = errorAt("MGT-FIELD", ["limit"], "contradicts per_page; set one of them");
    throw new Rejection(400, "The request does not fit", [conflict]);
  }
  const size = perPage ?? limit;
  if (size === undefined && page === undefined) return null;
  return { size: size ?? USUAL_PAGE, page: page ?? 1 };
}

/** Unseals the values of headers and the query of the URL. */
const unsealWebhook = (management: Management, { id, document }: Stored) => ({
  id,
  document: unsealReadable(management, "webhooks", id, document),
});

const webhookResponse = (
  management: Management,
  status: number,
  stored: Stored,
): OperationResponse => ({
  status,
  body: webhookViewWithDates(unsealWebhook(management, stored)),
  headers: { ETag: etagOf(stored) },
});

const listWebhooks = operation({
  interface: "portal",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listWebhooks",
  summary: "List webhooks",
  requirements: ["MGT-9", "MGT-C7"],
  body: null,
  query: pages,
  answers: { 200: z.array(webhook) },
  respond: async (management, { query }) => {
    const { shown } = await listShown(management.records, "webhooks", pageIn(query), (each) =>
      webhookView(unsealWebhook(management, each)),
    );
    return { status: 200, body: shown };
  },
});

const createWebhook = operation({
  interface: "portal",
  method: "POST",
  needs: "write",
  path: ALL,
  id: "createWebhook",
  summary: "Create a webhook",
  requirements: ["MGT-C8", "EVT-C1", "EVT-C3"],
  body: newWebhook,
  query: null,
  answers: { 201: webhookWithDates },
  headers: VERSIONED,
  refuses: [409],
  example: {
    Name: "Refusals",
    URL: "https://receiver.example.com/weir",
    Method: "POST",
    Timeout: 10,
    Headers: [{ Name: "X-Team", Value: "limits" }],
    Events: ["RatelimitExceeded"],
  },
  furtherProblems: furtherProblemsIn(webhooks, null),
  respond: async (management, { body, actor }) => {
    const { stored } = await createRecord(management, webhooks, {
      body,
      actor,
      operation: "createWebhook",
    });
    return webhookResponse(management, 201, stored);
  },
});

const readWebhook = operation({
  interface: "portal",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readWebhook",
  summary: "Read a webhook",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: webhookWithDates },
  headers: VERSIONED,
  respond: async (management, { params }) =>
    webhookResponse(management, 200, await requireRecord(management, webhooks, params["id"]!)),
});

const updateWebhook = operation({
  interface: "portal",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateWebhook",
  summary: "Change a webhook; unset fields stay, null clears",
  requirements: ["MGT-C5", "MGT-C8", "EVT-C1", "EVT-C3"],
  body: changedWebhook,
  query: null,
  answers: { 200: webhookWithDates },
  headers: VERSIONED,
  example: { Timeout: 5 },
  furtherProblems: furtherProblemsIn(webhooks, "id"),
  respond: async (management, { params, body, ifMatch, actor }) => {
    const change = { body, id: params["id"]!, ifMatch, actor, operation: "updateWebhook" };
    const { stored } = await updateRecord(management, webhooks, change);
    return webhookResponse(management, 200, stored);
  },
});

const deleteWebhook = operation({
  interface: "portal",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteWebhook",
  summary: "Delete a webhook for good",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: z.strictObject({ status: z.literal("ok") }) },
  respond: async (management, { params, ifMatch, actor }) => {
    await deleteRecord(management, webhooks, {
      id: params["id"]!,
      ifMatch,
      actor,
      operation: "deleteWebhook",
    });
    return { status: 200, body: { status: "ok" } };
  },
});

export const WEBHOOKS = [listWebhooks, createWebhook, readWebhook, updateWebhook, deleteWebhook];
