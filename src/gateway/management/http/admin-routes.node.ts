// The routes of the admin listener that belong to no management API. The caller passes in the functions that respond.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Management } from "../management.ts";
import { Rejection } from "../rejection.ts";
import { noteUse } from "../rights.ts";
import type { Attempts } from "./attempts.ts";
import { admit, isSecret } from "./guard.node.ts";
import { findToken } from "./presented.ts";
import { reportRejection } from "./rejections.ts";
import { answerWhileSent } from "./bodies.node.ts";
import { clientOf, type TrustedProxies } from "../../http/trusted.node.ts";

interface AdminResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

export interface AdminRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly respond: (body: string) => AdminResponse | Promise<AdminResponse>;
}

export interface AdminRoutes {
  readonly routes: readonly AdminRoute[];
  readonly secret: () => string; // read again for each request, because a reload may change it
  readonly attempts: Attempts;
  readonly trusted: TrustedProxies;
  readonly management: Management | null; // verifies tokens; null: there are no tokens
  readonly log: (line: string) => void;
  /** Whether these routes respond to unknown paths. */
  readonly hasUnknownPaths: boolean;
}

export const adminJson = (status: number, value: unknown): AdminResponse => ({
  status,
  type: "application/json",
  text: JSON.stringify(value),
});

/** An error response in the form of these routes (MGT-C6). */
export const adminError = (status: number, message: string): AdminResponse =>
  adminJson(status, { Status: "Error", Message: message, Meta: null });

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"] as const;

export async function registerAdminRoutes(
  app: FastifyInstance,
  { routes, secret, attempts, trusted, management, log, hasUnknownPaths }: AdminRoutes,
): Promise<void> {
  // Without a valid credential a client learns nothing, not even which routes exist.
  const authenticate = async ({ headers, raw, routeOptions }: FastifyRequest): Promise<void> => {
    const header = headers["admin-auth"];
    const credential = typeof header === "string" ? header : null;
    if (isSecret(credential, secret())) return; // the secret works even if the records cannot be read
    const address = clientOf(raw, trusted);
    const presented = { at: "admin", credential, address } as const;
    const { token = null, isCounted = false } =
      management === null ? {} : await findToken(management, attempts, presented);
    if (management !== null && token !== null) {
      // No token may use these routes, but a valid token is not counted as a guess.
      const here = routeOptions.url ?? "This path";
      await noteUse(management, token, `admin token:${token.id} ${address}`, here, false);
      throw new Rejection(403, `${here} needs the secret of the admin interface`);
    }
    admit(attempts, { ...presented, isCounted }, secret(), "Admin-Auth is missing or wrong");
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_, body, done) => done(null, body));
  app.setErrorHandler((thrown, request, reply) => {
    const { status, message, headers } = reportRejection(thrown, request, log);
    answerWhileSent(request, reply);
    return send(reply.headers(headers), adminError(status, message));
  });
  if (hasUnknownPaths)
    app.setNotFoundHandler({ preValidation: authenticate }, (_, reply) =>
      send(reply, adminError(404, "Not Found")),
    );
  for (const path of new Set(routes.map((route) => route.path))) {
    const routesHere = routes.filter((route) => route.path === path);
    const methods = routesHere.map(({ method }) => method);
    for (const { method, respond } of routesHere)
      app.route({
        method,
        url: path,
        onRequest: authenticate,
        handler: async ({ body }, reply) => send(reply, await respond((body ?? "") as string)),
      });
    app.route({
      method: METHODS.filter((method) => !methods.some((one) => one === method)),
      url: path,
      onRequest: async (request) => {
        await authenticate(request);
        const allowed = methods.join(", ");
        throw new Rejection(405, `${path} answers ${allowed}`, [], { Allow: allowed });
      },
      handler: () => {
        throw new Error("the hook before has rejected every request");
      },
    });
  }
}

const send = (reply: FastifyReply, { status, type, text }: AdminResponse): FastifyReply =>
  reply.code(status).type(type).send(text);
