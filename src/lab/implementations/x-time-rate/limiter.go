package main

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

var used = library{
	module: "golang.org/x/time",
	cost:   true,
	create: func(l limit) budgets { return &buckets{l, map[string]*rate.Limiter{}} },
}

type buckets struct {
	limit limit
	byKey map[string]*rate.Limiter
}

func perSecond(l limit) rate.Limit { return rate.Limit(float64(l.Limit) / l.per().Seconds()) }

func (b *buckets) decide(key string, cost int) answer {
	limiter := b.byKey[key]
	if limiter == nil {
		limiter = rate.NewLimiter(perSecond(b.limit), b.limit.Limit)
		b.byKey[key] = limiter
	}
	now := time.Now()
	decided := answer{"admitted": limiter.AllowN(now, cost), "limit": b.limit.Limit}
	if decided["admitted"] == false {
		if reservation := limiter.ReserveN(now, cost); reservation.OK() {
			decided["retry_after_us"] = micros(reservation.DelayFrom(now))
			reservation.CancelAt(now)
		}
	}
	decided["remaining"] = math.Floor(limiter.TokensAt(now))
	return decided
}

func (b *buckets) change(l limit) {
	b.limit = l
	for _, limiter := range b.byKey {
		limiter.SetLimit(perSecond(l))
		limiter.SetBurst(l.Limit)
	}
}
