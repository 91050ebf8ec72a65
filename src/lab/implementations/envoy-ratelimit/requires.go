//go:build tools

// Package requires keeps the service among the requirements of the module: `go mod tidy` drops what nothing imports.
package requires

import _ "github.com/envoyproxy/ratelimit/src/service_cmd"
