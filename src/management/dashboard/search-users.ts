import { z } from "zod";
import { int32, table, text } from "../families/fields.ts";
import { user } from "../families/user.ts";
import { operation } from "../operation.ts";
import { shownUser } from "./shown-user.ts";

/** A query says every number as text. */
const pageNumber = z.coerce.number().pipe(int32);

export const foundUsers = z.strictObject({ pages: z.int(), users: z.array(user).nullable() });

export const searchUsers = operation({
  interface: "dashboard",
  method: "POST",
  path: "/api/users/search",
  id: "searchUsers",
  summary: "Search users by a part of their address or name",
  requirements: ["MGT-3", "MGT-4", "MGT-5", "MGT-C3"],
  body: table("a search", { filters: table("filters", { query: text }).partial() }),
  query: z.object({ p: pageNumber.optional() }),
  answers: { 200: foundUsers },
  answer: async (management, { body: { filters }, query: { p = 1 } }) => {
    const { records, features } = management;
    const size = features.pageSize;
    const page = p < 0 ? null : { size, page: Math.max(1, p) };
    const text = (filters.query ?? "").toLowerCase();
    const { total, records: found } = await records.searchUsers(text, page);
    const pages = page === null ? Math.min(1, total) : Math.ceil(total / size);
    const users = found.map((each) => shownUser(management, each));
    return { status: 200, body: { pages, users: users.length === 0 ? null : users } };
  },
});
