// Decodes the body of a management request, and responds to a request whose body has not arrived completely.
import type { FastifyRequest, FastifyReply } from "fastify";
import { errorAt } from "../../../kit/reading/problems.ts";
import { readJson, type ReadJson } from "../json.ts";
import { readOnForAMoment } from "../../http/message-faults.node.ts";

/** Decodes JSON. The value of an empty body is undefined, because some operations need no body. */
export function decodeBody(bytes: Buffer, mostValues: number): ReadJson {
  if (bytes.length === 0) return { value: undefined, problems: [] };
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { value: undefined, problems: [errorAt("JSN-UTF8", [], "the body is not UTF-8")] };
  }
  return readJson(text, mostValues);
}

/**
 * Sends a response while the client still sends its body. Fastify would close the connection, and a client that is cut
 * off may miss the response; so the rest of the body is read for a moment and discarded.
 */
export function answerWhileSent({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader("connection");
  if (!raw.complete) readOnForAMoment(raw);
}
