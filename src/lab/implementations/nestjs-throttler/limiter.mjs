// The guard is called as Nest calls it, without a server.
import { Reflector } from "@nestjs/core";
import { ThrottlerException, ThrottlerGuard, ThrottlerStorageService } from "@nestjs/throttler";

const handle = () => undefined;
class Controller {
  handle = handle;
}

export const limiter = {
  package: "@nestjs/throttler",
  create: async ({ limit, perMs }) => {
    let current = { limit, perMs };
    const throttler = {
      name: "default",
      limit: () => current.limit,
      ttl: () => current.perMs,
      getTracker: ({ headers }) => headers["x-key"],
    };
    const guard = new ThrottlerGuard(
      { throttlers: [throttler] },
      new ThrottlerStorageService(),
      new Reflector(),
    );
    await guard.onModuleInit();
    return {
      decide: async (key) => {
        const headers = {};
        const response = {
          header: (name, value) => void (headers[name.toLowerCase()] = String(value)),
        };
        const context = {
          getClass: () => Controller,
          getHandler: () => handle,
          switchToHttp: () => ({
            getRequest: () => ({ headers: { "x-key": key } }),
            getResponse: () => response,
          }),
        };
        try {
          return { admitted: await guard.canActivate(context), headers };
        } catch (error) {
          if (!(error instanceof ThrottlerException)) throw error;
          return { admitted: false, headers };
        }
      },
      change: (next) => {
        current = next;
      },
    };
  },
};
