import { z } from "zod";
import { webhook } from "../families/webhook.ts";
import { operation } from "../operation.ts";

export const listWebhooks = operation({
  interface: "portal",
  method: "GET",
  path: "/portal-api/webhooks",
  id: "listWebhooks",
  summary: "List webhooks",
  requirements: ["MGT-9", "MGT-C7"],
  body: null,
  query: null,
  answers: { 200: z.array(webhook) },
  answer: async ({ records }) => {
    const { records: found } = await records.list("webhooks", null);
    return { status: 200, body: found.map(({ document }) => document) };
  },
});
