package main

import (
	"context"

	"github.com/throttled/throttled/v2"
	"github.com/throttled/throttled/v2/store/memstore"
)

var used = library{
	module: "github.com/throttled/throttled/v2",
	cost:   true,
	create: func(l limit) budgets {
		store, err := memstore.NewCtx(65536)
		if err != nil {
			panic(err)
		}
		quota := throttled.RateQuota{MaxRate: throttled.PerDuration(l.Limit, l.per()), MaxBurst: l.Limit - 1}
		limiter, err := throttled.NewGCRARateLimiterCtx(store, quota)
		if err != nil {
			panic(err)
		}
		return cells{limiter}
	},
}

type cells struct{ limiter *throttled.GCRARateLimiterCtx }

func (c cells) decide(key string, cost int) answer {
	limited, result, err := c.limiter.RateLimitCtx(context.Background(), key, cost)
	if err != nil {
		panic(err)
	}
	decided := answer{"admitted": !limited, "limit": result.Limit, "remaining": result.Remaining}
	if limited && result.RetryAfter >= 0 {
		decided["retry_after_us"] = micros(result.RetryAfter)
	}
	return decided
}
