// The oracle's token bucket (ALG-C9): a debt, and a burst of the whole rate.
import { asDebt } from "../../oracle/answer-debt.ts";
import { capacityOf } from "../../oracle/levels.ts";

export const rule = asDebt(capacityOf);
