package main

import (
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/ulule/limiter/v3"
	"github.com/ulule/limiter/v3/drivers/middleware/stdlib"
	"github.com/ulule/limiter/v3/drivers/store/memory"
)

var used = library{
	module: "github.com/ulule/limiter/v3",
	create: func(l limit) budgets {
		store := memory.NewStore()
		limiter := limiter.New(store, limiter.Rate{Period: l.per(), Limit: int64(l.Limit)})
		key := stdlib.WithKeyGetter(func(request *http.Request) string { return request.Header.Get("x-key") })
		admitted := http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})
		return windows{stdlib.NewMiddleware(limiter, key).Handler(admitted), store}
	},
}

type windows struct {
	handler http.Handler
	store   limiter.Store // its finalizer would stop a goroutine
}

func (w windows) decide(key string, _ int) answer {
	response := httptest.NewRecorder()
	request := httptest.NewRequest(http.MethodGet, "/", nil)
	request.Header.Set("x-key", key)
	w.handler.ServeHTTP(response, request)
	headers := map[string]string{}
	for name := range response.Header() {
		headers[strings.ToLower(name)] = response.Header().Get(name)
	}
	return answer{"admitted": response.Code < 400, "headers": headers}
}
