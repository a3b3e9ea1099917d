"""Where parcels wait."""

import logging

LOG = logging.getLogger(__name__)


class Depot:
    def __init__(self, shelves):
        self.shelves = shelves
        self.waiting = []

    def free(self):
        return [it for it in self.shelves if it.parcel is None]

    def oldest(self):
        return min(self.waiting, key=lambda it: it.arrived, default=None)

    def sorted_by_size(self):
        return sorted(self.waiting, key=lambda it: it.width * it.height)

    def take_back(self, parcel):
        self.waiting.remove(parcel)
        for shelf in self.shelves:
            if shelf.parcel is parcel:
                shelf.parcel = None

    def deliver(self, parcels):
        """Puts parcels on shelves, the large ones first."""
        free = self.free()
        left = []
        for parcel in sorted(parcels, key=lambda it: -it.width * it.height):
            fitting = [it for it in free if it.width >= parcel.width]
            fitting = [it for it in fitting if it.height >= parcel.height]
            if not fitting:
                LOG.warning("no shelf for %s", parcel.number)
                left.append(parcel)
                continue
            shelf = min(fitting, key=lambda it: it.width * it.height)
            shelf.parcel = parcel
            free.remove(shelf)
            LOG.info("%s is on %s", parcel.number, shelf.number)
        if left:
            LOG.warning("%d parcels wait", len(left))
        for parcel in left:
            parcel.waits = True
            LOG.debug("%s waits", parcel.number)
        small = [it for it in left if it.width < 20 and it.height < 20]
        large = [it for it in left if it not in small]
        for parcel in small:
            LOG.debug("%s is small and may share a shelf", parcel.number)
        for parcel in large:
            LOG.debug("%s is large and needs its own", parcel.number)
        if len(large) > len(self.shelves):
            LOG.error("more parcels than shelves")
        <CURSOR class:>
