// Policies in the dashboard API (MGT-C8). A policy may be deleted while keys apply it: then PolicyMissing is emitted.
import { z } from "zod";
import {
  furtherProblemsIn,
  updateRecord,
  deleteRecord,
  requireRecord,
  createRecord,
} from "../changes.ts";
import { text, byPage, pageOf, pagesOf } from "../families/fields.ts";
import { policies, policy, policyView } from "../families/policy.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import { operation } from "../operation.ts";
import { listShown } from "../pieces.ts";
import { done, doneWith, warningsMeta, warningsOrNull } from "../status.ts";

const ALL = "/api/portal/policies";
const ONE = `${ALL}/{id}`;

const listPolicies = operation({
  interface: "dashboard",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listPolicies",
  summary: "List policies in the order of their ids",
  requirements: ["MGT-C3", "MGT-C8"],
  body: null,
  query: byPage,
  answers: { 200: z.strictObject({ Data: z.array(policy), Pages: z.int() }) },
  respond: async ({ records, features }, { query: { p } }) => {
    const page = pageOf(p, features.pageSize);
    const listed = await listShown(records, "policies", page, policyView);
    return { status: 200, body: { Data: listed.shown, Pages: pagesOf(listed, page) } };
  },
});

const createPolicy = operation({
  interface: "dashboard",
  method: "POST",
  needs: "write",
  path: ALL,
  id: "createPolicy",
  summary: "Create a policy; the message of the response is its id",
  requirements: ["MGT-C5", "MGT-C8"],
  body: policy,
  query: null,
  answers: { 200: done(text, warningsOrNull) },
  headers: VERSIONED,
  refuses: [409],
  example: { id: "gold", rate: 100, per: 60, access_rights: {} },
  furtherProblems: furtherProblemsIn(policies, null),
  respond: async (management, { body, actor }) => {
    const creation = { body, actor, operation: "createPolicy" };
    const { stored, warnings } = await createRecord(management, policies, creation);
    return {
      status: 200,
      body: doneWith(stored.id, warningsMeta(warnings)),
      headers: { ETag: etagOf(stored) },
    };
  },
});

const readPolicy = operation({
  interface: "dashboard",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readPolicy",
  summary: "Read a policy",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: policy },
  headers: VERSIONED,
  respond: async (management, { params }) => {
    const stored = await requireRecord(management, policies, params["id"]!);
    return { status: 200, body: policyView(stored), headers: { ETag: etagOf(stored) } };
  },
});

const UPDATED = "Policy updated";

const updatePolicy = operation({
  interface: "dashboard",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updatePolicy",
  summary: "Change a policy; unset fields stay, null clears",
  requirements: ["MGT-C5", "MGT-C8"],
  body: policy,
  query: null,
  answers: { 200: done(z.literal(UPDATED), warningsOrNull) },
  headers: VERSIONED,
  example: { rate: 50, per: 60 },
  furtherProblems: furtherProblemsIn(policies, "id"),
  respond: async (management, { params, body, ifMatch, actor }) => {
    const change = { body, id: params["id"]!, ifMatch, actor, operation: "updatePolicy" };
    const { stored, warnings } = await updateRecord(management, policies, change);
    return {
      status: 200,
      body: doneWith(UPDATED, warningsMeta(warnings)),
      headers: { ETag: etagOf(stored) },
    };
  },
});

const DELETED = "Policy deleted";

const deletePolicy = operation({
  interface: "dashboard",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deletePolicy",
  summary: "Delete a policy for good",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: done(z.literal(DELETED), z.null()) },
  refuses: [409],
  respond: async (management, { params, ifMatch, actor }) => {
    await deleteRecord(management, policies, {
      id: params["id"]!,
      ifMatch,
      actor,
      operation: "deletePolicy",
    });
    return { status: 200, body: doneWith(DELETED, null) };
  },
});

export const POLICIES = [listPolicies, createPolicy, readPolicy, updatePolicy, deletePolicy];
