"""Chunks of source code, and the pieces of a repository that a code model should see."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

_Path = str | os.PathLike[str]

__version__: str

def languages() -> list[str]:
    """The names that ``language`` takes."""

def chunk(
    text: str,
    language: str | None = None,
    *,
    path: _Path | None = None,
    max_size: int = 2000,
    granularity: str = "cast",
    overlap_lines: int = 0,
) -> list[Chunk]:
    """Cuts a text along its syntax: ``"".join(it.text for it in chunk(text))`` is the text.

    Without ``language``, ``path`` and the first lines tell it; where they do not, chunks follow blank lines and
    indentation. ``max_size`` counts non-whitespace characters. ``granularity`` is ``cast``, ``definition``,
    ``method``, ``file`` or ``lines=N``.

    Raises ValueError for a language or granularity that does not exist. The text is not copied, and the
    interpreter's lock is released.
    """

@final
class Definition:
    """A definition in a chunk."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str:
        """``class``, ``function``, ``method`` and so on."""
    @property
    def line(self) -> int:
        """The line of its name, from 1."""
    def to_dict(self) -> dict[str, Any]:
        """All attributes by their names."""

@final
class Chunk:
    """A chunk of a text: ``text[chunk.start:chunk.end] == chunk.text``."""

    @property
    def text(self) -> str: ...
    @property
    def overlapping_text(self) -> str:
        """The text with the lines before it that ``overlap_lines`` asked for."""
    @property
    def start(self) -> int:
        """In characters."""
    @property
    def end(self) -> int:
        """In characters, exclusive."""
    @property
    def start_byte(self) -> int:
        """In bytes of UTF-8."""
    @property
    def end_byte(self) -> int:
        """In bytes of UTF-8, exclusive."""
    @property
    def start_line(self) -> int:
        """From 1."""
    @property
    def end_line(self) -> int:
        """From 1, inclusive."""
    @property
    def size(self) -> int:
        """Non-whitespace characters."""
    @property
    def language(self) -> str | None: ...
    @property
    def parsed(self) -> bool:
        """Whether the chunks follow a syntax tree."""
    @property
    def scope(self) -> list[str]:
        """The names of the enclosing definitions, outermost first."""
    @property
    def definitions(self) -> list[Definition]:
        """What is defined in it."""
    @property
    def references(self) -> list[str]:
        """The names that it uses, sorted."""
    def _repr_html_(self) -> str:
        """The text with its place, for notebooks."""
    def to_dict(self) -> dict[str, Any]:
        """All attributes by their names."""

@final
class Result:
    """A match of a search."""

    @property
    def path(self) -> str:
        """Relative to the root."""
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def symbol(self) -> str:
        """The dotted name of the definition that matches best; empty if there is none."""
    @property
    def kind(self) -> str: ...
    @property
    def score(self) -> float:
        """Comparable within one answer only."""
    @property
    def tokens(self) -> int: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def text(self) -> str: ...
    def _repr_html_(self) -> str:
        """The text with its place, for notebooks."""
    def to_dict(self) -> dict[str, Any]:
        """All attributes by their names."""

@final
class Piece:
    """A piece of the repository in a prompt."""

    @property
    def path(self) -> str:
        """Relative to the root."""
    @property
    def start_line(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def form(self) -> str:
        """``chunk``, ``excerpt``, ``skeleton`` or ``signature``."""
    @property
    def score(self) -> float:
        """Comparable within one prompt only."""
    @property
    def tokens(self) -> int: ...
    @property
    def reasons(self) -> list[str]: ...
    @property
    def text(self) -> str: ...
    def _repr_html_(self) -> str:
        """The text with its place, for notebooks."""
    def to_dict(self) -> dict[str, Any]:
        """All attributes by their names."""

@final
class Context:
    """A prompt for a cursor."""

    @property
    def prompt(self) -> str:
        """As a completion endpoint takes it, raw."""
    @property
    def stop(self) -> list[str]:
        """The strings at which a completion ends."""
    @property
    def tokens(self) -> int: ...
    @property
    def base_tokens(self) -> int:
        """Of these, the text around the cursor."""
    @property
    def exact(self) -> bool:
        """Whether ``tokens`` is exact; otherwise it does not undercount."""
    @property
    def pieces(self) -> list[Piece]:
        """In the order of the prompt."""
    def _repr_html_(self) -> str:
        """The pieces with their places, for notebooks."""
    def to_dict(self) -> dict[str, Any]:
        """All attributes by their names."""

@final
class Index:
    """The index of a directory. One can be asked by many threads; what they ask releases the interpreter's lock.

    It is kept in the user's cache directory, or below ``index_dir``, and shared with the ``foreword`` program;
    nothing is written into the directory itself. Files are parsed in processes of their own.
    """

    def __new__(
        cls,
        path: _Path = ".",
        *,
        index_dir: _Path | None = None,
        threads: int = 0,
    ) -> Index:
        """Indexes the repository around ``path``, or what has changed in it. ``threads``: 0 for one per core.

        Raises OSError where there is no such directory or no place for the index (NotADirectoryError for a file). Ctrl-C raises KeyboardInterrupt;
        what is indexed by then is kept. Warns (RuntimeWarning) where files have to be parsed in this process.
        """
    @property
    def parses_in(self) -> str:
        """``workers``, or ``process`` where Python is part of another program, or no process can be started."""
    @property
    def root(self) -> Path: ...
    def refresh(self) -> int:
        """Indexes what has changed on the disk; gives the number of files whose contents are new."""
    def files(self) -> list[str]:
        """The files in the index, relative to the root, sorted."""
    def __len__(self) -> int: ...
    def search(
        self,
        query: str,
        *,
        mode: str = "auto",
        limit: int = 10,
        tokens: int | None = None,
        language: str | Sequence[str] | None = None,
        kind: str | Sequence[str] | None = None,
        path: _Path | Sequence[_Path] | None = None,
    ) -> list[Result]:
        """The code that answers a question in words, or the name of a symbol; best first.

        ``mode`` ``exact`` finds lines with this text, ``regex`` lines that match; so do ``"in quotes"`` and
        ``/between slashes/`` in mode ``auto``. ``tokens`` limits all results together and shows the lines of each that
        say most. ``kind`` is that of a definition (``function``, ``class``, …; ``fn``, ``def``, ``struct`` too).
        ``path`` is a file, a directory or a pattern (``src/**``, ``*.py``), relative to the root or absolute; ``!tests``
        excludes.

        Raises ValueError for a mode, language or kind that does not exist, and for a pattern that is malformed.
        """
    def symbols(self, name: str, *, limit: int = 100) -> dict[str, Any]:
        """Where a name is defined, and everywhere used: ``definitions``, ``implementations``, ``references``
        (``limit`` of them), ``total_references``, ``possible_references``, ``precise``, ``notes``, ``similar``, as in
        ``foreword symbols --json``."""
    def outline(self, path: _Path) -> dict[str, Any]:
        """What a file imports and defines: ``path``, ``language``, ``imports``, ``definitions``.

        Raises FileNotFoundError for a file that is not in the index.
        """
    def map(self, focus: _Path | Sequence[_Path] | None = None, *, tokens: int = 1500) -> str:
        """The most referred-to files with the signatures of their main definitions, from ``focus`` (paths or names) on."""
    def next(self, path: _Path | None = None, line: int = 1, *, limit: int = 10) -> dict[str, Any]:
        """Where the next edit is likely, after the changes since the last commit as of ``refresh()``: ``edits`` (their
        number), ``places``, ``note``, as in ``foreword next --json``.

        Raises FileNotFoundError for a file that is not in the index, IndexError for a line that it does not have.
        """
    def ask(self, question: str, *, tokens: int = 4000) -> dict[str, Any]:
        """The evidence for a question in words, found without a chat model: ``evidence``, ``strength``, ``missing``,
        ``kinds``, ``messages``, as in ``foreword ask --json``."""
    def context(
        self,
        path: _Path,
        line: int,
        column: int | None = None,
        *,
        text: str | None = None,
        model: str | None = None,
        budget: int | None = None,
        intent: str | None = None,
    ) -> Context:
        """The prompt for a place in a file, in the format of a model, within ``budget`` tokens.

        ``model`` and ``budget`` are those of the user's settings by default: ``qwen2.5-coder`` and 4096.

        ``line`` and ``column`` count from 1, in characters; without a column the place is the end of the line.
        ``text`` is the file's unsaved text. ``intent`` says in words what is to be written.

        Raises IndexError for a place that the file does not have, ValueError for a model that is not known and for a
        budget that the text around the cursor alone exceeds, OSError for a file that cannot be read.
        """
