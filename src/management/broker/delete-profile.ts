import { z } from "zod";
import { operation, Refusal } from "../operation.ts";

export const deleteProfile = operation({
  interface: "broker",
  method: "DELETE",
  path: "/api/profiles/{id}",
  id: "deleteProfile",
  summary: "Delete an authentication profile for good",
  requirements: ["MGT-6", "MGT-7", "MGT-C4"],
  body: null,
  query: null,
  answers: {
    200: z.strictObject({ Status: z.literal("ok"), ID: z.string(), Data: z.strictObject({}) }),
  },
  answer: async ({ records, nowUs }, { params, who }) => {
    const id = params["id"]!;
    await records.write({ who, what: "deleteProfile", atUs: nowUs() }, async (writing) => {
      const before = await writing.read("profiles", id);
      if (before === null) throw new Refusal(404, "Profile not found");
      await writing.remove("profiles", before);
    });
    return { status: 200, body: { Status: "ok", ID: id, Data: {} } };
  },
});
