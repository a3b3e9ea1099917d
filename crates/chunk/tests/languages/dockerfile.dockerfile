ARG GO_VERSION=1.22
#   ^ definition.constant
# Builds it.
FROM golang:${GO_VERSION} AS build
#                            ^ definition.section (doc, body)
# ~ type golang, type GO_VERSION
WORKDIR /src
ENV CGO_ENABLED=0 GOOS=linux
#   ^ definition.constant in build
#                 ^ definition.constant in build
COPY go.mod go.sum ./
RUN go mod download && \
    go build -o /app ./cmd/app
RUN <<SCRIPT
set -e
make install
SCRIPT

FROM alpine:3.19 AS runtime
#                   ^ definition.section (body)
# ~ type alpine
LABEL version="1.0"
COPY --from=build /app /app
EXPOSE 8080
ENTRYPOINT ["/app"]
