# docker build --build-arg VERSION=$(git describe --tags --always) -t chancery .

FROM node:22-bookworm-slim AS web
WORKDIR /src/adapters/web
COPY adapters/web/package.json adapters/web/package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY adapters/web ./
RUN npm run build

FROM golang:1.26-bookworm AS build
ARG VERSION=devel
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
COPY --from=web /src/adapters/web/dist adapters/web/dist
RUN make build WEB= VERSION="$VERSION" CGO_ENABLED=0

FROM alpine:3.22
# A new volume takes its owner from the folder it is mounted on.
RUN adduser -D -H -u 10001 chancery \
    && install -d -o chancery -g chancery -m 0700 /var/lib/chancery
COPY --from=build /src/bin/chancery /usr/local/bin/chancery
COPY LICENSE NOTICE /usr/share/doc/chancery/
USER 10001:10001
WORKDIR /var/lib/chancery
VOLUME /var/lib/chancery
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD wget -q -O /dev/null http://127.0.0.1:8080/readyz || exit 1
ENTRYPOINT ["chancery"]
CMD ["serve", "--listen", ":8080", "--data", "/var/lib/chancery"]
