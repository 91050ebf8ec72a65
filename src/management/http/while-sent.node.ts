// A response while the client still sends its body: a client that is cut off may never read the response.
import type { FastifyReply, FastifyRequest } from "fastify";
import { readOnForAMoment } from "../../gateway/http/message-faults.node.ts";

/** Fastify would close the connection with the response; the rest of the body is read for a moment, and discarded. */
export function answerWhileSent({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader("connection");
  if (!raw.complete) readOnForAMoment(raw);
}
