#!/usr/bin/env python
"""Docs."""
import os
from a.b import c as d

LIMIT = 3


# About A.
@d(1)
class A(B):
    """An A.

    More.
    """

    x: int = 1

    def f(self, a, *b, **c) -> int:
        """Does f."""
        if a:
            return [i for i in b]
        return f"{a!r:>3}"

    async def g(self):  # trailing
        await self.f(1)


def h(): return lambda x: x
