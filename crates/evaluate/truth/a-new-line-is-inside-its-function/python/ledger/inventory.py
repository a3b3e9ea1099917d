"""The inventory at the end of a year."""


def inventory(stocktaking: "list[Asset]", year, rooms, out):
    """Writes the inventory by rooms."""
    out.write(f"Inventory {year}\n\n")
    counted = {}
    for room in sorted(rooms):
        out.write(room + "\n")
        counted[room] = 0
        for shelf in rooms[room]:
            out.write(f"  {shelf}\n")
            n = rooms[room][shelf]
            if n == 0:
                out.write("    empty\n")
                continue
            if n > 100:
                out.write("    more than a hundred\n")
                counted[room] += 100
                continue
            counted[room] += n
            out.write(f"    {n}\n")
        if counted[room] == 0:
            out.write("  nothing\n")
    lines = []
    for room, n in counted.items():
        lines.append(f"{room:<20} {n:>5}")
    widest = max((len(it) for it in lines), default=0)
    out.write("-" * widest + "\n")
    for it in lines:
        out.write(it + "\n")
    out.write("=" * widest + "\n")
    for number, thing in enumerate(stocktaking, start=1):
        out.write(f"{number:>4} ")
        <CURSOR:>
