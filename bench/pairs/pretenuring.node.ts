// Loaded before a gateway, this leaves pretenuring to V8: gateways of Weir switch it off.
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";

const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flags) => {
  if (flags !== "--no-allocation-site-pretenuring") setFlagsFromString(flags);
};
syncBuiltinESMExports();
