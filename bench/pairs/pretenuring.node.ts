// Loaded before a gateway, this leaves pretenuring to V8, as a gateway had it before it switched it off.
import { syncBuiltinESMExports } from "node:module";
import v8 from "node:v8";

const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flags) => {
  if (flags !== "--no-allocation-site-pretenuring") setFlagsFromString(flags);
};
syncBuiltinESMExports();
