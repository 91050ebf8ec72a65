// The middleware is called as Express calls it, without a server.
import { rateLimit } from "express-rate-limit";

export const limiter = {
  package: "express-rate-limit",
  create: ({ limit, perMs }) => {
    let current = limit;
    const middleware = rateLimit({
      windowMs: perMs,
      limit: () => current,
      standardHeaders: "draft-6",
      legacyHeaders: true,
      keyGenerator: ({ headers }) => headers["x-key"],
    });
    return {
      decide: (key) => {
        const headers = {};
        const response = {
          headersSent: false,
          setHeader: (name, value) => void (headers[name.toLowerCase()] = String(value)),
          status: () => response,
          send: () => response.refuse({ admitted: false, headers }),
        };
        const request = { headers: { "x-key": key }, ip: "127.0.0.1", app: { get: () => false } };
        return new Promise((resolve, reject) => {
          response.refuse = resolve;
          const next = (error) =>
            error === undefined ? resolve({ admitted: true, headers }) : reject(error);
          Promise.resolve(middleware(request, response, next)).catch(reject);
        });
      },
      change: (next) => {
        if (next.perMs !== perMs) throw new Error("its window cannot change");
        current = next.limit;
      },
    };
  },
};
