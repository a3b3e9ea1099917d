"""Shelves, parcels and those who carry them."""


class Shelf:
    """A place for parcels of some height."""

    def __init__(self, number, width, height):
        self.number = number
        self.width = width
        self.height = height
        self.parcels = []

    def room_for(self, parcel):
        """Whether a parcel fits beside those that lie there."""
        used = sum(it.width for it in self.parcels)
        return parcel.height <= self.height and used + parcel.width <= self.width

    def put(self, parcel):
        if not self.room_for(parcel):
            raise ValueError(f"shelf {self.number} has no room")
        self.parcels.append(parcel)

    def take(self, number):
        for parcel in self.parcels:
            if parcel.number == number:
                self.parcels.remove(parcel)
                return parcel
        return None

    def weight(self):
        return sum(it.grams for it in self.parcels)


class ReturnDesk:
    """Where parcels come back."""

    def __init__(self, depot):
        self.depot = depot
        self.waiting = []

    def accept(self, parcel, reason):
        """Writes down why a parcel came back, and where it goes from here."""
        if reason == "refused":
            self.waiting.append((parcel, "sender"))
        elif reason == "damaged":
            self.waiting.append((parcel, "workshop"))
        elif reason == "wrong address":
            self.waiting.append((parcel, "office"))
        else:
            self.waiting.append((parcel, "shelf"))

    def sort_out(self):
        """Puts back what goes to a shelf, and returns the rest by where it goes."""
        rest = {}
        for parcel, where in self.waiting:
            if where == "shelf":
                shelf = next((it for it in self.depot.shelves if it.room_for(parcel)), None)
                if shelf is not None:
                    shelf.put(parcel)
                    continue
            rest.setdefault(where, []).append(parcel)
        self.waiting = []
        return rest

    def report(self):
        lines = []
        for parcel, where in self.waiting:
            lines.append(f"{parcel.number} goes to the {where}")
        lines.append(f"{len(self.waiting)} parcels are waiting")
        return "\n".join(lines)


class Courier:
    """Carries parcels, as many as the van takes."""

    def __init__(self, name, most_grams, most_parcels):
        self.name = name
        self.most_grams = most_grams
        self.most_parcels = most_parcels
        self.loaded = []

    def can_load(self, parcel):
        grams = sum(it.grams for it in self.loaded)
        few = len(self.loaded) < self.most_parcels
        return few and grams + parcel.grams <= self.most_grams

    def load(self, parcel):
        if not self.can_load(parcel):
            raise ValueError(f"{self.name} cannot take {parcel.number}")
        self.loaded.append(parcel)

    def route(self, distance):
        """Parcels in the order of the nearest next stop."""
        left = list(self.loaded)
        here, stops = None, []
        while left:
            nearest = min(left, key=lambda it: distance(here, it.address))
            left.remove(nearest)
            stops.append(nearest)
            here = nearest.address
        return stops
