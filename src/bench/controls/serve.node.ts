// A control in a process of its own: it is told which, says where it listens, and serves until nobody is left
// to measure it.
import type { ControlReply, ControlOrder } from "./messages.ts";

async function serve({ control, upstream }: ControlOrder): Promise<ControlReply> {
  const of = (url: URL, pid = process.pid): ControlReply => ({ origin: url.origin, pid });
  switch (control) {
    case "upstream":
      return of(await (await import("./bare.node.ts")).bareServer());
    case "bare-proxy":
      return of(await (await import("./bare.node.ts")).bareProxy(upstream!));
    case "fastify":
      return of(await (await import("./fastify.node.ts")).fastifyStack(upstream!));
    case "express":
      return of(await (await import("./express.node.ts")).expressStack(upstream!));
    case "nginx": {
      const { startNginx } = await import("./nginx.node.ts");
      const started = await startNginx(upstream!);
      return started === null
        ? { missing: "nginx is not on the PATH" }
        : of(started.url, started.pid);
    }
  }
}

/** Peers are development dependencies: an installation of Weir does without them. */
function missingReply(error: unknown): ControlReply {
  const name = /Cannot find package '([^']+)'/.exec(
    error instanceof Error ? error.message : "",
  )?.[1];
  if (name === undefined) throw error;
  return { missing: `the package ${name} is not installed: npm i ${name}` };
}

// Until it has been told, the channel is all that it lives for.
process.channel?.ref();
process.once("message", (order) => {
  void serve(order as ControlOrder)
    .catch(missingReply)
    .then((answer) => process.send!(answer));
});
