// An answer to a body that is still sent: whoever is cut off meanwhile may never read it.
import type { FastifyReply, FastifyRequest } from "fastify";
import { readOnForAMoment } from "../../gateway/http/message-faults.node.ts";

/** Fastify would close the connection with the answer; what still comes is read for a moment, and thrown away. */
export function answerWhileSent({ raw }: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader("connection");
  if (!raw.complete) readOnForAMoment(raw);
}
