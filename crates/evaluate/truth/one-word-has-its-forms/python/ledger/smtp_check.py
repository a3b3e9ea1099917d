"""Looks whether the server answers."""

import socket


def answers(host, port=25, timeout=3):
    try:
        socket.create_connection((host, port), timeout).close()
    except OSError:
        return False
    return True
