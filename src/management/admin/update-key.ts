import { z } from "zod";
import { anything } from "../families/fields.ts";
import { key } from "../families/key.ts";
import { operation, Refusal } from "../operation.ts";
import { judged } from "../judged.ts";
import { merged } from "../merged.ts";

export const updateKey = operation({
  interface: "admin",
  method: "PUT",
  path: "/admin/org/keys/{keyId}",
  id: "updateKey",
  summary: "Change a key; what is left out stays, null clears",
  requirements: ["MGT-8", "MGT-C5", "MGT-C10"],
  body: key,
  query: null,
  answers: {
    200: z.strictObject({
      ID: z.string(),
      Message: z.literal("Key updated"),
      Meta: anything,
      Status: z.literal("OK"),
    }),
  },
  answer: async (management, { params, body, who }) => {
    const { records, nowUs, configuration } = management;
    const id = params["keyId"]!;
    let warnings: readonly string[] = [];
    const audited = { who, what: "updateKey", atUs: nowUs() };
    await records.write(audited, async (writing) => {
      const before = await writing.read("keys", id);
      if (before === null) throw new Refusal(404, "Key not found");
      const document = merged(before.document, body);
      warnings = judged("keys", id, document, configuration());
      await writing.replace("keys", before, document, { unique: before.unique, text: null });
    });
    await management.changed();
    const Meta = warnings.length === 0 ? null : { warnings };
    return { status: 200, body: { ID: id, Message: "Key updated", Meta, Status: "OK" } };
  },
});
