// The program of a control's process: receives an order, replies with an address, and serves until the channel closes.
import { Failure, isFailure } from "../../../kit/reading/failure.ts";
import type { ControlReply, ControlOrder, ServedControl } from "./messages.ts";

async function serve({ control, upstream, store }: ControlOrder): Promise<ServedControl | Failure> {
  if (typeof control !== "string") {
    const { startOfOthers } = await import("./of-others.node.ts");
    return startOfOthers(control.implementation, upstream!);
  }
  const of = (url: URL, pid = process.pid): ServedControl => ({ origin: url.origin, pid });
  switch (control) {
    case "upstream":
      return of(await (await import("./bare.node.ts")).bareServer());
    case "bare-proxy":
      return of(await (await import("./bare.node.ts")).bareProxy(upstream!));
    case "bare-proxy-redis":
      if (store === null) return new Failure("no cell of this run has store=redis");
      return of(await (await import("./bare-redis.node.ts")).bareProxyOverRedis(upstream!, store));
    case "fastify":
      return of(await (await import("./fastify.node.ts")).fastifyStack(upstream!));
    case "express":
      return of(await (await import("./express.node.ts")).expressStack(upstream!));
    case "nginx": {
      const { startNginx } = await import("./nginx.node.ts");
      const started = await startNginx(upstream!);
      return started === null
        ? new Failure("nginx is not on the PATH")
        : of(started.url, started.pid);
    }
  }
}

/** Returns a failure that names the missing package, a development dependency of Weir. Throws every other error. */
function missingPackage(error: unknown): Failure {
  const name = /Cannot find package '([^']+)'/.exec(
    error instanceof Error ? error.message : "",
  )?.[1];
  if (name === undefined) throw error;
  return new Failure(`the package ${name} is not installed: npm i ${name}`);
}

const replyOf = (result: ServedControl | Failure): ControlReply =>
  isFailure(result) ? { kind: "missing", why: result.message } : { kind: "served", ...result };

// Until the order arrives, only the channel keeps the process alive.
process.channel?.ref();
process.once("message", (order) => {
  void serve(order as ControlOrder)
    .catch(missingPackage)
    .then((result) => process.send!(replyOf(result)));
});
