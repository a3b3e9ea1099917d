"""Requests and routes."""

import json
import re


class Response:
    def __init__(self, status, body, content_type="application/json"):
        self.status = status
        self.body = body
        self.content_type = content_type


class Router:
    """Finds the handler of a path; `{name}` in a pattern matches one segment."""

    def __init__(self):
        self._routes = []

    def route(self, method, pattern):
        expression = re.compile("^" + re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", pattern) + "$")

        def register(handler):
            self._routes.append((method, expression, handler))
            return handler

        return register

    def dispatch(self, method, path, body=None):
        for known, expression, handler in self._routes:
            match = expression.match(path)
            if match and known == method:
                return handler(body, **match.groupdict())
        return not_found(path)


def ok(value):
    return Response(200, json.dumps(value))


def not_found(path):
    return Response(404, json.dumps({"error": f"nothing at {path}"}))
