// A proxy between the gateways of one world and their store, so that an outage affects only this world. Other worlds
// that run at the same time have their own proxies.
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export interface StoreWay {
  readonly url: string;
  /** Ends all open connections and rejects new ones. */
  readonly cut: () => void;
  readonly mend: () => void;
  readonly close: () => Promise<void>;
}

export async function storeWay(store: URL): Promise<StoreWay> {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((from) => {
    if (isCut) {
      from.destroy();
      return;
    }
    const to = connect(Number(store.port === "" ? 6_379 : store.port), store.hostname);
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
    from.pipe(to);
    to.pipe(from);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(store);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  const cutOff = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    url: url.href.replace(/\/$/, ""),
    cut: () => {
      isCut = true;
      cutOff();
    },
    mend: () => {
      isCut = false;
    },
    close: async () => {
      server.close();
      cutOff();
      await once(server, "close");
    },
  };
}
