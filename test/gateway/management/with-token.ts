// The management APIs as a client with a token sees them.
import { expect } from "vitest";
import { INTERFACE } from "#src/gateway/management/interfaces.ts";
import type { InterfaceName } from "#src/gateway/management/interface-name.ts";
import { BASES, type caller } from "./app.ts";

type Api = Awaited<ReturnType<typeof caller>>;

export const tokenOf = async ({ admin }: Pick<Api, "admin">, fields: object): Promise<string> => {
  const { status, body } = await admin("POST /admin/org/tokens", fields);
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

/** Calls an operation by its method and path below the API's base. */
export const callWith =
  ({ app }: Pick<Api, "app">, token: string) =>
  async (name: InterfaceName, what: string, payload?: object) => {
    const [method, path] = what.split(" ") as ["GET", string];
    const response = await app.inject({
      method,
      url: `${BASES[name]}${path}`,
      headers: {
        ...headersFor(name, token),
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(payload === undefined ? {} : { payload: JSON.stringify(payload) }),
    });
    return { status: response.statusCode, text: response.body };
  };
