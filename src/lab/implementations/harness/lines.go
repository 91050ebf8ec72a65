package main

// The protocol for limiters written in Go. It runs as a test, because testing/synctest gives time.Now, timers and sleeps a
// clock that moves when everything waits: limiter -test.run TestLines -clock virtual. A program that reads another clock
// runs with -clock real.

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"testing"
	"testing/synctest"
	"time"
)

var clock = flag.String("clock", "virtual", "virtual or real")

type limit struct {
	Limit int   `json:"limit"`
	PerUs int64 `json:"per_us"`
}

func (l limit) per() time.Duration { return time.Duration(l.PerUs) * time.Microsecond }

type question struct {
	Op         string  `json:"op"`
	Limits     []limit `json:"limits"`
	LimitIndex int     `json:"limit_index"`
	Key        string  `json:"key"`
	Cost       int     `json:"cost"`
	AtUs       int64   `json:"at_us"`
}

type answer map[string]any

// budgets decides for one limit.
type budgets interface {
	decide(key string, cost int) answer
}

// changeable budgets take another limit while they run.
type changeable interface {
	change(limit)
}

// library is what a limiter.go describes.
type library struct {
	module string
	cost   bool
	cannot func(limit) string // empty: it can
	create func(limit) budgets
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func version(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, each := range info.Deps {
			if each.Path == module && len(each.Version) > 0 {
				return each.Version[1:]
			}
		}
	}
	return "unknown"
}

// A finalizer that stops a goroutine of the bubble would end the process.
var keep []budgets

type session struct {
	start   time.Time
	startUs int64
	budgets []budgets
}

func (s *session) moveTo(atUs int64) error {
	if *clock == "real" {
		return nil
	}
	wait := time.Duration(atUs-s.startUs)*time.Microsecond - time.Since(s.start)
	if wait < 0 {
		return fmt.Errorf("its clock cannot go back")
	}
	time.Sleep(wait)
	return nil
}

func (s *session) reasons(limits []limit) []string {
	why := []string{}
	for _, each := range limits {
		if used.cannot != nil && used.cannot(each) != "" {
			why = append(why, used.cannot(each))
		}
	}
	return why
}

func (s *session) reply(asked question) answer {
	switch asked.Op {
	case "describe":
		name := "virtual-forward"
		if *clock == "real" {
			name = "real"
		}
		return answer{"protocol": 1, "id": used.module, "version": version(used.module), "clock": name, "cost": used.cost}
	case "configure":
		if wait := time.Until(time.UnixMicro(asked.AtUs)); *clock == "virtual" && wait > 0 {
			time.Sleep(wait) // a bubble begins in 2000
		}
		s.start, s.startUs = time.Now(), asked.AtUs
		if why := s.reasons(asked.Limits); len(why) > 0 {
			return answer{"cannot": why}
		}
		s.budgets = nil
		for _, each := range asked.Limits {
			s.budgets = append(s.budgets, used.create(each))
		}
		keep = append(keep, s.budgets...)
		return answer{"ok": true}
	case "change":
		if err := s.moveTo(asked.AtUs); err != nil {
			return answer{"error": err.Error()}
		}
		if why := s.reasons(asked.Limits); len(why) > 0 {
			return answer{"cannot": why}
		}
		for i, each := range asked.Limits {
			budget, ok := s.budgets[i].(changeable)
			if !ok {
				return answer{"cannot": []string{"it cannot change a limit while it runs"}}
			}
			budget.change(each)
		}
		return answer{"ok": true}
	case "decide":
		if err := s.moveTo(asked.AtUs); err != nil {
			return answer{"error": err.Error()}
		}
		decided := s.budgets[asked.LimitIndex].decide(asked.Key, asked.Cost)
		if *clock == "real" {
			decided["at_us"] = time.Now().UnixMicro()
		}
		return decided
	}
	return answer{"error": "it has no operation " + asked.Op}
}

func (s *session) replyToLine(line []byte) (reply answer) {
	defer func() {
		if err := recover(); err != nil {
			reply = answer{"error": fmt.Sprint(err)}
		}
	}()
	asked := question{Cost: 1}
	if err := json.Unmarshal(line, &asked); err != nil {
		return answer{"error": err.Error()}
	}
	return s.reply(asked)
}

func lines() {
	in := bufio.NewScanner(os.Stdin)
	s := &session{}
	for in.Scan() {
		text, err := json.Marshal(s.replyToLine(in.Bytes()))
		if err != nil {
			text, _ = json.Marshal(answer{"error": err.Error()})
		}
		fmt.Println(string(text))
	}
	os.Exit(0)
}

func TestLines(t *testing.T) {
	if *clock == "real" {
		lines()
	}
	synctest.Test(t, func(*testing.T) { lines() })
}
