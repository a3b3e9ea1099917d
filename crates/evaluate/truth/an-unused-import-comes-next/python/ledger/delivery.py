"""Files as answers of the web server."""

from pathlib import Path


def checked_path(folder, name):
    path = (Path(folder) / name).resolve()
    if not path.is_relative_to(Path(folder).resolve()):
        raise FileNotFoundError(name)
    return path


def deliver_from_folder(folder, name, *, max_age=None, as_attachment=False):
    """An answer with the file of that name below a folder, and never with one outside of it."""
    path = checked_path(folder, name)
    headers = {"content-length": str(path.stat().st_size)}
    if max_age is not None:
        headers["cache-control"] = f"max-age={max_age}"
    if as_attachment:
        headers["content-disposition"] = f"attachment; filename={path.name}"
    return path.read_bytes(), headers
