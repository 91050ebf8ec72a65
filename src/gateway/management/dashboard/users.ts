// Users of the dashboard (MGT-3, MGT-4, MGT-5, MGT-C3).
import { z } from "zod";
import {
  furtherProblemsIn,
  updateRecord,
  deleteRecord,
  requireRecord,
  createRecord,
} from "../changes.ts";
import { table, text, byPage, pageOf, pagesOf } from "../families/fields.ts";
import {
  changedUser,
  newUser,
  normalizeSearch,
  userView,
  user,
  users,
  type User,
} from "../families/user.ts";
import { etagOf, VERSIONED } from "../if-match.ts";
import { operation } from "../operation.ts";
import { searchShown, listShown, type ListShown } from "../pieces.ts";
import type { Page, Stored } from "../records/records.ts";
import { done, doneWith } from "../status.ts";

const ALL = "/api/users";
const ONE = `${ALL}/{id}`;

const userListResponse = z.strictObject({ pages: z.int(), users: z.array(user).nullable() });

/** `users` is null if the list is empty, also for a page after the last one. */
function buildUserList(listed: ListShown<User>, page: Page | null) {
  const { shown } = listed;
  const isEmpty = Array.isArray(shown) && shown.length === 0;
  return { pages: pagesOf(listed, page), users: isEmpty ? null : shown };
}

/** The longest search text, in characters. An address and a name fit into it, and a longer text takes longer. */
const LONGEST_SEARCH = 1_024;
const searchText = text
  .refine((query) => query.length <= LONGEST_SEARCH, `has at most ${LONGEST_SEARCH} letters`)
  .meta({ maxLength: LONGEST_SEARCH });

const search = table("a search", { filters: table("filters", { query: searchText }).partial() });

const searchUsers = operation({
  interface: "dashboard",
  method: "POST",
  needs: "read",
  path: `${ALL}/search`,
  id: "searchUsers",
  summary: "Search users by a part of their address or name",
  requirements: ["MGT-3", "MGT-4", "MGT-5", "MGT-C3"],
  body: search,
  query: byPage,
  answers: { 200: userListResponse },
  example: { filters: { query: "ann@example.com" } },
  respond: async (management, { body: { filters }, query: { p } }) => {
    const page = pageOf(p, management.features.pageSize);
    const { query = "" } = filters;
    // No stored text has control characters. `normalizeSearch` would replace them with blanks, which could match.
    if (/\p{Cc}/u.test(query)) return { status: 200, body: { pages: 0, users: null } };
    const text = normalizeSearch(query);
    const show = (each: Stored): User => userView(management, each);
    const listed = await searchShown(management.records, text, page, show);
    return { status: 200, body: buildUserList(listed, page) };
  },
});

const listUsers = operation({
  interface: "dashboard",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listUsers",
  summary: "List users in the order of their addresses",
  requirements: ["MGT-4", "MGT-5", "MGT-C3", "MGT-C8"],
  body: null,
  query: byPage,
  answers: { 200: userListResponse },
  respond: async (management, { query: { p } }) => {
    const page = pageOf(p, management.features.pageSize);
    const show = (each: Stored): User => userView(management, each);
    const listed = await listShown(management.records, "users", page, show);
    return { status: 200, body: buildUserList(listed, page) };
  },
});

const CREATED = "User and session have been created";

const createUser = operation({
  interface: "dashboard",
  method: "POST",
  needs: "write",
  path: ALL,
  id: "createUser",
  summary: "Create a user",
  requirements: ["MGT-5", "MGT-C8"],
  body: newUser,
  query: null,
  answers: { 200: done(z.literal(CREATED), text) },
  headers: VERSIONED,
  refuses: [409],
  example: {
    email_address: "ann@example.com",
    first_name: "Ann",
    user_permissions: { IsAdmin: "no" },
  },
  furtherProblems: furtherProblemsIn(users, null),
  respond: async (management, { body, actor }) => {
    const { stored } = await createRecord(management, users, {
      body,
      actor,
      operation: "createUser",
    });
    return {
      status: 200,
      body: doneWith(CREATED, stored.id),
      headers: { ETag: etagOf(stored) },
    };
  },
});

const readUser = operation({
  interface: "dashboard",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readUser",
  summary: "Read a user",
  requirements: ["MGT-5", "MGT-C8"],
  body: null,
  query: null,
  answers: { 200: user },
  headers: VERSIONED,
  respond: async (management, { params }) => {
    const stored = await requireRecord(management, users, params["id"]!);
    return { status: 200, body: userView(management, stored), headers: { ETag: etagOf(stored) } };
  },
});

const UPDATED = "User updated";

const updateUser = operation({
  interface: "dashboard",
  method: "PUT",
  needs: "write",
  path: ONE,
  id: "updateUser",
  summary: "Change a user; unset fields stay, null clears",
  requirements: ["MGT-5", "MGT-C5", "MGT-C8"],
  body: changedUser,
  query: null,
  answers: { 200: done(z.literal(UPDATED), z.null()) },
  headers: VERSIONED,
  refuses: [409],
  example: { active: false },
  furtherProblems: furtherProblemsIn(users, "id"),
  respond: async (management, { params, body, ifMatch, actor }) => {
    const change = { body, id: params["id"]!, ifMatch, actor, operation: "updateUser" };
    const { stored } = await updateRecord(management, users, change);
    return { status: 200, body: doneWith(UPDATED, null), headers: { ETag: etagOf(stored) } };
  },
});

const DELETED = "User deleted";

const deleteUser = operation({
  interface: "dashboard",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteUser",
  summary: "Delete a user for good",
  requirements: ["MGT-C8"],
  body: null,
  query: null,
  answers: { 200: done(z.literal(DELETED), z.null()) },
  respond: async (management, { params, ifMatch, actor }) => {
    await deleteRecord(management, users, {
      id: params["id"]!,
      ifMatch,
      actor,
      operation: "deleteUser",
    });
    return { status: 200, body: doneWith(DELETED, null) };
  },
});

export const USERS = [searchUsers, listUsers, createUser, readUser, updateUser, deleteUser];
