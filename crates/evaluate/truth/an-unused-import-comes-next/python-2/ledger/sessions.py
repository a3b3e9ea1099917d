"""Who is signed in."""

from .settings import Settings
<TYPED>from .addresses import address_stays_here
</TYPED>

class SignIn:
    """The form of the front door."""

    def __init__(self, settings: Settings, hosts):
        self.settings = settings
        self.hosts = hosts

    def allowed_hosts(self, request):
        return {request.host, *self.hosts}

    def target_of(self, request):
        """Where the reader goes after the form, as the form asks for it."""
        target = request.form.get("next", "")
        <CURSOR: ledger/addresses.py:address_stays_here>
