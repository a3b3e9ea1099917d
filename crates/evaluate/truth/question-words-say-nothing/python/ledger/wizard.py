"""Asks what is to be done, one step after the other."""

CODE = "what"


def what(which, is_one, code=CODE):
    """What is which: the code of that one."""
    if is_one:
        return which
    return {"code": code, "which": which, "what": is_one}
