// What the admin listener does beside the management interfaces, for whoever runs the gateway: it decides nothing,
// each door is handed in.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Management } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { noteUse } from "../rights.ts";
import type { Attempts } from "./attempts.ts";
import { admit, isSecret, lookedUp } from "./guard.node.ts";
import { refusalTold } from "./refused.ts";
import { answerWhileSent } from "./while-sent.node.ts";
import { clientOf, type Trusted } from "../../gateway/http/trusted.node.ts";

export interface AdminAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface AdminRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly answer: (body: string) => AdminAnswer | Promise<AdminAnswer>;
}

export interface Doors {
  readonly routes: readonly AdminRoute[];
  readonly secret: () => string; // read again for each request, because a reload may change it
  readonly attempts: Attempts;
  readonly trusted: Trusted;
  readonly management: Management | null; // who knows tokens; null: there are none
  readonly log: (line: string) => void;
  /** Whether what is behind no address is theirs as well. */
  readonly hasTheRest: boolean;
}

export const adminJson = (status: number, value: unknown): AdminAnswer => ({
  status,
  type: "application/json",
  text: JSON.stringify(value),
});

/** MGT-C6: the form of every error here. */
export const adminError = (status: number, message: string): AdminAnswer =>
  adminJson(status, { Status: "Error", Message: message, Meta: null });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] as const;

export async function openDoors(
  app: FastifyInstance,
  { routes, secret, attempts, trusted, management, log, hasTheRest }: Doors,
): Promise<void> {
  // Who has no business here learns nothing, not even which doors there are.
  const asked = async ({ headers, raw, routeOptions }: FastifyRequest): Promise<void> => {
    const header = headers["admin-auth"];
    const said = typeof header === "string" ? header : null;
    if (isSecret(said, secret())) return; // whether or not the records can be asked for a token
    const address = clientOf(raw, trusted);
    const shown = { at: "admin", said, address } as const;
    const { token = null, isCounted = false } =
      management === null ? {} : await lookedUp(management, attempts, shown);
    if (management !== null && token !== null) {
      // Nobody who guesses: it opens something else.
      const here = routeOptions.url ?? "This path";
      await noteUse(management, token, `admin token:${token.id} ${address}`, here, false);
      throw new Rejection(403, `${here} needs the secret of the admin interface`);
    }
    admit(attempts, { ...shown, isCounted }, secret(), "Admin-Auth is missing or wrong");
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, body));
  app.setErrorHandler((thrown, request, reply) => {
    const { status, message, headers } = refusalTold(thrown, request, log);
    answerWhileSent(request, reply);
    return send(reply.headers(headers), adminError(status, message));
  });
  if (hasTheRest)
    app.setNotFoundHandler({ preValidation: asked }, (_, reply) =>
      send(reply, adminError(404, "Not Found")),
    );
  for (const path of new Set(routes.map((route) => route.path))) {
    const here = routes.filter((route) => route.path === path);
    const known = here.map(({ method }) => method);
    for (const { method, answer } of here)
      app.route({
        method,
        url: path,
        onRequest: asked,
        handler: async ({ body }, reply) => send(reply, await answer((body ?? "") as string)),
      });
    app.route({
      method: METHODS.filter((method) => !known.some((one) => one === method)),
      url: path,
      onRequest: async (request) => {
        await asked(request);
        const allowed = known.join(", ");
        throw new Rejection(405, `${path} answers ${allowed}`, [], { Allow: allowed });
      },
      handler: () => {
        throw new Error("this door has been shut");
      },
    });
  }
}

const send = (reply: FastifyReply, { status, type, text }: AdminAnswer): FastifyReply =>
  reply.code(status).type(type).send(text);
