"""Chunks of source code, and the pieces of a repository that a code model should see.

>>> import foreword
>>> text = "def area(r):\\n    return 3.14 * r * r\\n"
>>> [it.scope for it in foreword.chunk(text, "python")]
[[]]
"""

from ._native import (
    Chunk,
    Context,
    Definition,
    Index,
    Piece,
    Result,
    __version__,
    chunk,
    languages,
)

__all__ = [
    "Chunk",
    "Context",
    "Definition",
    "Index",
    "Piece",
    "Result",
    "__version__",
    "chunk",
    "languages",
]
