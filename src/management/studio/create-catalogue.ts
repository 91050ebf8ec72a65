import { catalogue, newCatalogue } from "../families/catalogue.ts";
import { operation, Refusal } from "../operation.ts";

export const createCatalogue = operation({
  interface: "studio",
  method: "POST",
  path: "/api/v1/catalogues",
  id: "createCatalogue",
  summary: "Create a catalogue",
  requirements: ["MGT-1", "MGT-2", "MGT-C2"],
  body: newCatalogue,
  query: null,
  answers: { 201: catalogue },
  answer: async ({ records, features, newId, nowUs }, { body: { data }, who }) => {
    if (!features.catalogues)
      throw new Refusal(402, "Catalogues are a feature that this studio does not have");
    const id = newId();
    const document = { name: data.attributes.name };
    const audited = { who, what: "createCatalogue", atUs: nowUs() };
    const made = await records.write(audited, (writing) =>
      writing.insert("catalogues", id, document, { unique: null, text: null }),
    );
    if (made === null) throw new Error(`the id ${id} is taken`);
    return { status: 201, body: { data: { type: "catalogues", id, attributes: document } } };
  },
});
