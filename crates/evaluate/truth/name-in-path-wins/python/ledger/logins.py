"""Who is logged in."""

import hashlib
import hmac


class Logins:
    """Checks passwords. A password is kept as a hash; a reset of the password makes the old password useless."""

    def __init__(self, storage):
        self.storage = storage

    def set_password(self, name, password, salt):
        digest = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
        self.storage.save("password", name, {"salt": salt.hex(), "digest": digest.hex()})

    def check_password(self, name, password):
        """Whether the password is right; after five wrong passwords only a password reset helps."""
        known = self.storage.load("password", name)
        if known is None:
            return False
        salt = bytes.fromhex(known["salt"])
        digest = hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
        return hmac.compare_digest(digest.hex(), known["digest"])
