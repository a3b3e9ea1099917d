"""Receipt printers."""

import socket


class Printer:
    def __init__(self, host, port=9100):
        self.address = (host, port)

    def setup(self):
        """Opens the connection and sends the setup sequence."""
        connection = socket.create_connection(self.address)
        connection.sendall(b"\x1b@")
        return connection

    def print_lines(self, lines):
        connection = self.setup()
        for line in lines:
            connection.sendall(line.encode("cp437") + b"\n")
        connection.close()
