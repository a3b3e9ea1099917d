"""Keeps one person from asking too often."""

from collections import deque


class Throttle:
    """At most so many requests in a time."""

    def __init__(self, most, seconds):
        self.most = most
        self.seconds = seconds
        self.times = {}

    def admits(self, name, now):
        times = self.times.setdefault(name, deque())
        while times and times[0] <= now - self.seconds:
            times.popleft()
        times.append(now)
        return len(times) <= self.most
