// Starts one load generator process for each load model. Both live for the whole run, so that no repeat starts cold.
import { fork, type ChildProcess } from "node:child_process";
import { extname, join } from "node:path";
import { endChild } from "../child.node.ts";
import type { LoadModel } from "../suite.ts";
import type { Load, LoadFigures, LoadOrder, LoadProgress } from "./load.ts";
import type { SenderMessage } from "./sender.node.ts";

export function startLoad(): Load {
  const closed = startSender("closed");
  const open = startSender("open");
  const senderOf = (loadModel: LoadModel): ChildProcess => (loadModel === "closed" ? closed : open);
  return {
    run: (order, onProgress = () => {}) => runLoad(senderOf(order.loadModel), order, onProgress),
    pidOf: (loadModel) => senderOf(loadModel).pid!,
    stop: async () => {
      await Promise.all([closed, open].map(endChild));
    },
  };
}

function startSender(kind: "closed" | "open"): ChildProcess {
  const program = join(import.meta.dirname, `sender.node${extname(import.meta.filename)}`);
  return fork(program, [kind], {
    // Under load, autocannon can set a timer for a time in the past: Node fires it at once, and would warn.
    execArgv: ["--disable-warning=TimeoutNegativeWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
}

function runLoad(
  child: ChildProcess,
  order: LoadOrder,
  onProgress: (progress: LoadProgress) => void,
): Promise<LoadFigures> {
  return new Promise((resolve, reject) => {
    const done = (): void => {
      child.off("message", onMessage);
      child.off("exit", onExit);
    };
    const onExit = (): void => {
      done();
      reject(new Error(`the process that sends the load is gone`));
    };
    const onMessage = (message: SenderMessage): void => {
      if ("progress" in message) {
        onProgress(message.progress);
        return;
      }
      done();
      if ("figures" in message) resolve(message.figures);
      else reject(new Error(message.failed));
    };
    if (!child.connected) {
      reject(new Error("the process that sends the load is gone"));
      return;
    }
    child.on("message", onMessage).on("exit", onExit);
    child.send(order);
  });
}
