// Catalogues of the AI studio (MGT-1, MGT-2, MGT-C2), if the studio has them.
import { errorAt } from "../../../kit/reading/problems.ts";
import { updateRecord, deleteRecord, requireRecord, createRecord } from "../changes.ts";
import {
  catalogue,
  catalogueList,
  catalogues,
  changedCatalogue,
  newCatalogue,
  catalogueView,
} from "../families/catalogue.ts";
import { table, integerInQuery } from "../families/fields.ts";
import { z } from "zod";
import { etagOf, VERSIONED } from "../if-match.ts";
import type { Management } from "../management.ts";
import { operation, type OperationResponse } from "../operation.ts";
import { Rejection } from "../rejection.ts";
import { listShown } from "../pieces.ts";
import type { Stored } from "../records/records.ts";

const ALL = "/api/v1/catalogues";
const ONE = `${ALL}/{id}`;
const refuses = [402];

function requireCatalogues({ features }: Management): void {
  if (!features.catalogues)
    throw new Rejection(402, "Catalogues are a feature that this studio does not have");
}

const catalogueResponse = (status: number, stored: Stored): OperationResponse => ({
  status,
  body: { data: catalogueView(stored) },
  headers: { ETag: etagOf(stored) },
});

const MOST_ON_A_PAGE = 1_000;
const pages = table("the query", {
  page: integerInQuery(1, 2 ** 31 - 1),
  page_size: integerInQuery(1, MOST_ON_A_PAGE),
  all: z.enum(["true", "false"], "is true or false"),
}).partial();

export const listCatalogues = operation({
  interface: "studio",
  method: "GET",
  needs: "read",
  path: ALL,
  id: "listCatalogues",
  summary: "List catalogues",
  requirements: ["MGT-2", "MGT-C8"],
  body: null,
  query: pages,
  answers: { 200: catalogueList },
  headers: { "X-Total-Count": "How many there are", "X-Total-Pages": "How many pages they fill" },
  refuses,
  respond: async (management, { query }) => {
    requireCatalogues(management);
    const { page = 1, page_size: size = management.features.pageSize, all } = query;
    const requestedPage = all === "true" ? null : { page, size };
    const { total, shown: data } = await listShown(
      management.records,
      "catalogues",
      requestedPage,
      catalogueView,
    );
    const count = requestedPage === null ? Math.min(1, total) : Math.ceil(total / size);
    return {
      status: 200,
      body: { data },
      headers: { "X-Total-Count": String(total), "X-Total-Pages": String(count) },
    };
  },
});

const createCatalogue = operation({
  interface: "studio",
  method: "POST",
  needs: "write",
  path: ALL,
  id: "createCatalogue",
  summary: "Create a catalogue",
  requirements: ["MGT-1", "MGT-2", "MGT-C2"],
  body: newCatalogue,
  query: null,
  answers: { 201: catalogue },
  headers: VERSIONED,
  refuses,
  example: { data: { type: "catalogues", attributes: { name: "Models for all teams" } } },
  respond: async (management, { body: { data }, actor }) => {
    requireCatalogues(management);
    const { name } = data.attributes;
    const creation = { body: { name }, actor, operation: "createCatalogue" };
    const { stored } = await createRecord(management, catalogues, creation);
    return catalogueResponse(201, stored);
  },
});

const readCatalogue = operation({
  interface: "studio",
  method: "GET",
  needs: "read",
  path: ONE,
  id: "readCatalogue",
  summary: "Read a catalogue",
  requirements: ["MGT-2", "MGT-C8"],
  body: null,
  query: null,
  answers: { 200: catalogue },
  headers: VERSIONED,
  refuses,
  respond: async (management, { params }) => {
    requireCatalogues(management);
    return catalogueResponse(200, await requireRecord(management, catalogues, params["id"]!));
  },
});

const updateCatalogue = operation({
  interface: "studio",
  method: "PATCH",
  needs: "write",
  path: ONE,
  id: "updateCatalogue",
  summary: "Change a catalogue; unset fields stay, null clears",
  requirements: ["MGT-2", "MGT-C5", "MGT-C8"],
  body: changedCatalogue,
  query: null,
  answers: { 200: catalogue },
  headers: VERSIONED,
  refuses,
  example: { data: { type: "catalogues", attributes: { name: "Models for one team" } } },
  respond: async (management, { params, body: { data }, ifMatch, actor }) => {
    requireCatalogues(management);
    const id = params["id"]!;
    if (data.id !== undefined && data.id !== id) {
      const differs = errorAt("MGT-ID", ["data", "id"], "is not the id of this catalogue");
      throw new Rejection(400, "The body does not fit", [differs]);
    }
    const change = {
      body: { ...data.attributes },
      id,
      ifMatch,
      actor,
      operation: "updateCatalogue",
    };
    const { stored } = await updateRecord(management, catalogues, change);
    return catalogueResponse(200, stored);
  },
});

const deleteCatalogue = operation({
  interface: "studio",
  method: "DELETE",
  needs: "write",
  path: ONE,
  id: "deleteCatalogue",
  summary: "Delete a catalogue for good",
  requirements: ["MGT-2", "MGT-C8"],
  body: null,
  query: null,
  answers: { 204: null },
  refuses,
  respond: async (management, { params, ifMatch, actor }) => {
    requireCatalogues(management);
    const deletion = { id: params["id"]!, ifMatch, actor, operation: "deleteCatalogue" };
    await deleteRecord(management, catalogues, deletion);
    return { status: 204, body: undefined };
  },
});

export const CATALOGUES = [
  listCatalogues,
  createCatalogue,
  readCatalogue,
  updateCatalogue,
  deleteCatalogue,
];
