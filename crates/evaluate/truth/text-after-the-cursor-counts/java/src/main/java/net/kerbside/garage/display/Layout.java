package net.kerbside.garage.display;

/** Where lines go on a board. */
final class Layout {
    private final int columns;
    private final StringBuilder text = new StringBuilder();

    Layout(int columns) {
        this.columns = columns;
    }

    void centreLine(String line) {
        text.append(" ".repeat(Math.max(0, (columns - line.length()) / 2))).append(line).append('\n');
    }

    String asBlock() {
        return text.toString();
    }
}
