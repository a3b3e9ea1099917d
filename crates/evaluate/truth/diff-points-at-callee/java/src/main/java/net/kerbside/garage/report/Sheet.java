package net.kerbside.garage.report;

/** A sheet of numbers. */
class Sheet {
    private final StringBuilder cells = new StringBuilder();

    void cell(long number, int width) {
        cells.append(String.format("%" + width + "d", number));
    }

    void endRow() {
        cells.append('\n');
    }

    String print() {
        return cells.toString();
    }
}
