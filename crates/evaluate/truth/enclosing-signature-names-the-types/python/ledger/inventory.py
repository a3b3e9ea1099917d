"""The inventory at the end of a year."""


def inventory(stocktaking: "list[Asset]", year, rooms, out):
    """Writes the inventory by rooms."""
    out.write(f"Inventory {year}\n\n")
    numbers = {}
    for room in sorted(rooms):
        out.write(room + "\n")
        numbers[room] = 0
        shelves = rooms[room]
        for shelf in shelves:
            out.write(f"  {shelf}\n")
            count = shelves[shelf]
            if count == 0:
                out.write("    empty\n")
                continue
            if count > 100:
                out.write("    more than a hundred\n")
                numbers[room] += 100
                continue
            numbers[room] += count
            out.write(f"    {count}\n")
        if numbers[room] == 0:
            out.write("  nothing\n")
    rows = []
    for room, number in numbers.items():
        rows.append(f"{room:<20} {number:>5}")
    widest = max((len(row) for row in rows), default=0)
    out.write("-" * widest + "\n")
    for row in rows:
        out.write(row + "\n")
    out.write("=" * widest + "\n")
    for number, thing in enumerate(stocktaking, start=1):
        out.write(f"{number:>4} ")
        <CURSOR:>
        out.write("\n")
