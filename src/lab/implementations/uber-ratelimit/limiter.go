package main

import (
	"time"

	"go.uber.org/ratelimit"
)

// It refuses nothing: every request waits for its turn, which Take returns. A request is decided when it arrives, so the
// clock of the limiter stands at its arrival and adds up the waits.
var used = library{
	module: "go.uber.org/ratelimit",
	create: func(l limit) budgets { return &pacers{l, map[string]*pacer{}} },
}

type pacers struct {
	limit limit
	byKey map[string]*pacer
}

// pacer has a clock of the arriving request.
type pacer struct {
	limiter ratelimit.Limiter
	waited  time.Duration
}

func (p *pacer) Now() time.Time { return time.Now().Add(p.waited) }

func (p *pacer) Sleep(d time.Duration) { p.waited += d }

func (p *pacers) decide(key string, _ int) answer {
	each := p.byKey[key]
	if each == nil {
		each = &pacer{}
		each.limiter = ratelimit.New(p.limit.Limit, ratelimit.Per(p.limit.per()), ratelimit.WithClock(each))
		p.byKey[key] = each
	}
	each.waited = 0
	each.limiter.Take()
	return answer{"admitted": true, "delay_us": micros(each.waited)}
}
