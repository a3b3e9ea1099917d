ARG GO_VERSION=1.22
# Builds it.
FROM golang:${GO_VERSION} AS build
WORKDIR /src
ENV CGO_ENABLED=0 GOOS=linux
COPY go.mod go.sum ./
RUN go mod download && \
    go build -o /app ./cmd/app
RUN <<SCRIPT
set -e
make install
SCRIPT

FROM alpine:3.19 AS runtime
LABEL version="1.0"
COPY --from=build /app /app
EXPOSE 8080
ENTRYPOINT ["/app"]
