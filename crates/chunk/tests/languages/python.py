"""A module."""
from __future__ import annotations
# <- import __future__ (annotations)

import os
# <- import os
import numpy as np, os.path
# <- import os.path
# <- import numpy as np
from . import sibling
# <- import . (sibling)
from ..pkg.mod import one, two as zwei
# <- import ..pkg.mod (one, two as zwei)
from collections import *
# <- import collections (*)

LIMIT = 10
# <- definition.constant
LIMIT = 11
name: str = "x"
# <- definition.constant
# ~ type str


# Not directly before.

# A comment that
# documents.
@dataclass(frozen=True)
# ~ call dataclass
@registry.register
# ~ call register
class Point(Base, mod.Mixin, Generic[T]):
#     ^ definition.class (doc, body)
#     ^ begins @dataclass(frozen=True)
#     ^ ends def deep(self): pass
#     ^ signature class Point(Base, mod.Mixin, Generic[T]):
#     ^ doc """A point."""
#     ^ body """A point.""" x: int = 0
# ~ base Base, base Mixin
    """A point."""

    x: int = 0
    # <- definition.field in Point
    # ~ type int
    y = 1
    # <- definition.field in Point

    def __init__(self, x: int) -> None:
    #   ^ definition.constructor in Point (body)
    # ~ type int
        self.x = x
        local = 1
        super().__init__()
        # ~ call super, call __init__

    @property
    # ~ call property
    def norm(self) -> float:
    #   ^ definition.method in Point (doc, body)
    #   ^ begins @property
    #   ^ signature def norm(self) -> float:
    # ~ type float
        """The length."""
        return abs(self.x)  # trailing
        # ^ scope Point.norm
        # ~ call abs

    async def fetch(self, *args: list[Item]) -> Optional[mod.Result]:
    #         ^ definition.method in Point (body)
    # ~ type list, type Item, type Optional, type Result
        def inner():
        #   ^ definition.function in Point.fetch (body)
            return lambda: (z := 1)
        async with session.get(f"{args}") as response:
        # ~ call get
            return await response.json()
            # ~ call json

    class Nested:
    #     ^ definition.class in Point (body)
        def deep(self): pass
        #   ^ definition.method in Point.Nested (body)


if LIMIT:
    def conditional(
    #   ^ definition.function (body)
        a,
        b=None,
    ):
        return helper(a)(b)[0]()
        # ~ call helper

type Alias = list[int]
#    ^ definition.type
# ~ type list, type int
handlers = {"a": lambda x: x}
# <- definition.constant


@dataclass(frozen=True)
# ~ call dataclass
class Frozen:
#     ^ definition.class (body)
#     ^ signature class Frozen:
#     ^ begins @dataclass
    size: int = field(
    # <- definition.field in Frozen
    # <- signature size: int = field
    # ~ type int, call field
        default=1,
    )
