"""The inventory as one line a thing."""


def short_inventory(stocktaking: "list[Asset]", year, out):
    """Writes the heading and the things."""
    out.write(f"Inventory {year}\n\n")
    widths = []
    for column in ("place", "what", "when"):
        widths.append(len(column))
    heading = "  ".join("place what when".split())
    out.write(heading + "\n")
    out.write("-" * sum(widths) + "\n")
    if not stocktaking:
        out.write("nothing\n")
        return
    if len(stocktaking) > 500:
        out.write("too much\n")
        return
    out.write("\n")
    for it in range(3):
        out.write("*")
    out.write("\n")
    out.write("\n")
    for place, thing in enumerate(stocktaking, start=1):
        out.write(f"{place:>4} <CURSOR same-line:>")
