/** Moves a card to a column of the board; a wrong column is refused. */
export function moveCard(board: Board, card: Card, column: Column): void {
  if (!board.columns.includes(column)) throw new Error("wrong column");
  column.cards.push(card);
}

/** The column that a card moves to when it is dropped on the board. */
export function columnOf(board: Board, card: Card): Column | undefined {
  return board.columns.find((column) => column.cards.includes(card));
}
