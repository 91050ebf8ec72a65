// A catalogue of the AI studio, in its envelope (MGT-C2).
import { z } from "zod";
import { table, text } from "./fields.ts";

export const attributes = table("the attributes of a catalogue", { name: text });

export const newCatalogue = table("a request", {
  data: table("data", { type: z.literal("catalogues"), attributes }),
});

export const catalogue = table("a catalogue", {
  data: table("data", { type: z.literal("catalogues"), id: text, attributes }),
});
