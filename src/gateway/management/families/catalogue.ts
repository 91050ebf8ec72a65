// A catalogue of the AI studio, in the `data` envelope of the studio's API (MGT-C2).
import { z } from "zod";
import type { RecordType } from "../record-type.ts";
import type { Stored } from "../records/records.ts";
import { table, text } from "./fields.ts";

const type = z.literal("catalogues", 'is "catalogues"');
const attributes = table("the attributes of a catalogue", { name: text });

export const newCatalogue = table("a request", { data: table("data", { type, attributes }) });

export const changedCatalogue = table("a request", {
  data: table("data", {
    type,
    id: text.optional(),
    attributes: table("the attributes of a catalogue", { name: text.nullable().optional() }),
  }),
});

const data = table("data", { type, id: text, attributes });
export const catalogue = table("a catalogue", { data });
export const catalogueList = table("catalogues", { data: z.array(data) });

export const catalogues: RecordType = {
  name: "catalogues",
  unknownMessage: "Catalogue not found",
  conflictMessage: "The id of this catalogue is taken",
  idAt: ["data", "id"],
  idIn: () => undefined,
  prepare: (_, _id, document) => ({
    document,
    foundBy: { unique: null, text: null },
    problems: [],
  }),
};

export const catalogueView = ({ id, document }: Stored): z.infer<typeof data> => ({
  type: "catalogues",
  id,
  attributes: { name: (document["name"] as string | undefined) ?? "" },
});
