# Everything a person or a machine does with this repository is a target here.
# Needed: Go, make, and for `make test` a C compiler if there is one (see RACE). With npm
# the web pages are built too; without it the server has none (see WEB).

# One set of build flags for every command, or Go would build everything twice.
export GOFLAGS     := -trimpath -buildvcs=false
export CGO_ENABLED ?= 0

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo devel)
LDFLAGS := -X main.version=$(VERSION)
TOOL    := go tool -modfile=tools/go.mod

# The race detector needs cgo, and cgo needs a C compiler. A machine without one
# tests without it; where CI is set that would hide races, so it is an error.
CC_FOUND := $(shell command -v $$(go env CC) 2>/dev/null)
RACE     := $(if $(CC_FOUND),-race)

# The domain and what the verifier is shown are pure and start no goroutine: there
# the detector would find nothing and make the counts twenty times slower.
PURE       := ./domain/... ./tests/forge/...
CONCURRENT  = $(shell go list ./... | grep -v -e '^chancery/domain/' -e '^chancery/tests/forge')

TESTFLAGS ?=
TIMEOUT   ?= 30m
FUZZTIME  ?= 30s
BENCH     ?= .

# A machine without npm builds a server without web pages; where CI is set that would
# hide what is wrong with them, so it is an error. `make build WEB=` does not ask npm.
NPM := $(shell command -v npm)
WEB ?= $(if $(NPM)$(CI),web)

.PHONY: build run test check fmt-check vet staticcheck unit race-note web web-test analytics-test \
	bench fuzz golden perft fmt lint vuln cover clean help

build: $(WEB) ## build bin/chancery, with its web pages if there is npm
	go build -ldflags '$(LDFLAGS)' -o bin/chancery ./cmd/chancery

run: build ## serve on :8080, with the ledger in ./data
	bin/chancery serve

# The built files stand in for each other's time: one is as new as all.
WEB_BUILT   := adapters/web/dist/verify.mjs
WEB_MODULES := adapters/web/node_modules/.package-lock.json
WEB_SOURCES := $(shell find adapters/web -type f -not -path '*/node_modules/*' -not -path '*/dist/*' -not -path '*/test/*')

web: $(WEB_BUILT) ## build the web pages into adapters/web/dist

$(WEB_BUILT): $(WEB_MODULES) $(WEB_SOURCES)
	cd adapters/web && npm run --silent check && npm run --silent build

$(WEB_MODULES): adapters/web/package.json adapters/web/package-lock.json
	@test -n "$(NPM)" || { echo "the web pages need Node.js with npm: https://nodejs.org (or: make build WEB=)"; exit 1; }
	cd adapters/web && npm ci --no-audit --no-fund
	@touch $@

web-test: web ## test the web pages, against games and lies that Go programs make
	go run ./tests/forge/write bin/forged
	go run ./tests/forge/prove bin/forged
	cd adapters/web && npm run --silent test

ANALYTICS_MODULES := tests/analytics/node_modules/.package-lock.json

analytics-test: $(ANALYTICS_MODULES) ## read with DuckDB what we export, and the AsyncAPI document with its parser
	go run ./tests/analytics/write bin/analytics
	cd tests/analytics && npm run --silent test

$(ANALYTICS_MODULES): tests/analytics/package.json tests/analytics/package-lock.json
	cd tests/analytics && npm ci --no-audit --no-fund
	@touch $@

test: check $(addsuffix -test,$(WEB) $(if $(WEB),analytics)) unit ## everything CI runs: format, vet, staticcheck, all tests, a short fuzz of every law
	@$(MAKE) --no-print-directory fuzz FUZZTIME=200x

check: fmt-check vet staticcheck

fmt-check:
	@files=$$(gofmt -l .); test -z "$$files" || { echo "run gofmt -w on:"; echo "$$files"; exit 1; }

vet:
	go vet ./...

staticcheck:
	$(TOOL) staticcheck ./...

unit: race-note
	go test -timeout $(TIMEOUT) $(TESTFLAGS) $(PURE)
	$(if $(RACE),CGO_ENABLED=1) go test $(RACE) -timeout $(TIMEOUT) $(TESTFLAGS) $(CONCURRENT)

race-note:
	@if test -z "$(RACE)"; then \
		echo "no C compiler: testing without the race detector (install gcc to have it)"; \
		test -z "$$CI" || { echo "CI must have the race detector"; exit 1; }; \
	fi

bench: ## run the benchmarks (BENCH=pattern)
	go test -run '^$$' -bench '$(BENCH)' -benchmem $(TESTFLAGS) ./...

fuzz: ## fuzz every law for FUZZTIME each (30s, or a count such as 10000x)
	@tools/fuzz $(FUZZTIME)

golden: ## write the golden files anew; look at the difference before committing it
	CHANCERY_UPDATE=1 go test -count=1 -run Golden $(TESTFLAGS) ./...

perft: ## count every entry of perft.json, the long ones too
	CHANCERY_PERFT=all go test -count=1 -timeout 12h -run Perft -v $(TESTFLAGS) ./domain/... ./tests/...

fmt: ## format every Go file
	$(TOOL) gofumpt -w .

lint: check ## the slower linters of .golangci.yml
	$(TOOL) golangci-lint run ./...

vuln: ## known vulnerabilities in what we call (asks vuln.go.dev)
	$(TOOL) govulncheck ./...

cover: ## how much of the code the tests run, by function, in bin/cover.out
	@mkdir -p bin
	go test -timeout $(TIMEOUT) -coverpkg=./... -coverprofile=bin/cover.out $(TESTFLAGS) ./...
	go tool cover -func=bin/cover.out | tail -1

clean: ## remove what was built; the ledger in ./data stays
	rm -rf bin adapters/web/node_modules adapters/web/dist/* tests/analytics/node_modules

help: ## say what there is to make
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 12
