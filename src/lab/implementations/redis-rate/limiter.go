package main

import (
	"context"
	"fmt"
	"os"

	"github.com/go-redis/redis_rate/v10"
	"github.com/redis/go-redis/v9"
)

// It counts by the clock of Redis.
var used = library{
	module: "github.com/go-redis/redis_rate/v10",
	cost:   true,
	create: func(l limit) budgets {
		client := redis.NewClient(&redis.Options{Addr: os.Getenv("REDIS_ADDRESS")})
		run := fmt.Sprintf("%d", os.Getpid())
		return &cells{redis_rate.NewLimiter(client), l, fmt.Sprintf("%s %d ", run, len(keep))}
	},
}

type cells struct {
	limiter *redis_rate.Limiter
	limit   limit
	prefix  string
}

func (c *cells) decide(key string, cost int) answer {
	limit := redis_rate.Limit{Rate: c.limit.Limit, Period: c.limit.per(), Burst: c.limit.Limit}
	result, err := c.limiter.AllowN(context.Background(), c.prefix+key, limit, cost)
	if err != nil {
		panic(err)
	}
	decided := answer{"admitted": result.Allowed > 0, "limit": result.Limit.Burst, "remaining": result.Remaining}
	if result.RetryAfter >= 0 {
		decided["retry_after_us"] = micros(result.RetryAfter)
	}
	return decided
}

func (c *cells) change(l limit) { c.limit = l }
