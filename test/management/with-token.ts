// The interfaces as whoever has a token sees them.
import { expect } from "vitest";
import { INTERFACE } from "../../src/management/interfaces.ts";
import type { InterfaceName } from "../../src/management/interface-name.ts";
import { BASES, type caller } from "./app.ts";

type Api = Awaited<ReturnType<typeof caller>>;

export const tokenOf = async ({ admin }: Pick<Api, "admin">, said: object): Promise<string> => {
  const { status, body } = await admin("POST /admin/org/tokens", said);
  expect([status, (body as { token?: string }).token?.slice(0, 5)]).toEqual([200, "weir_"]);
  return (body as { token: string }).token;
};

export const headersFor = (
  name: InterfaceName,
  shown: string,
): Readonly<Record<string, string>> => {
  const { header, isBearer } = INTERFACE[name].scheme;
  return { [header.toLowerCase()]: isBearer ? `Bearer ${shown}` : shown };
};

/** Calls an operation by its method and path behind the interface's base. */
export const asking =
  ({ app }: Pick<Api, "app">, token: string) =>
  async (name: InterfaceName, what: string, payload?: object) => {
    const [method, path] = what.split(" ") as ["GET", string];
    const told = await app.inject({
      method,
      url: `${BASES[name]}${path}`,
      headers: {
        ...headersFor(name, token),
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    return { status: told.statusCode, text: told.body };
  };
