"""What happens in the morning."""

from .depot import Courier, Shelf


def load_vans(shelves: list[Shelf], couriers: list[Courier], due):
    """Loads what is due today, the heaviest shelf first."""
    for shelf in sorted(shelves, key=Shelf.weight, reverse=True):
        for parcel in list(shelf.parcels):
            courier = next((it for it in couriers if Courier.<CURSOR: ledger/depot.py:Courier; ledger/depot.py:Shelf>), None)
