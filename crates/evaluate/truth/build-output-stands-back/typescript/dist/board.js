// Board v2.1.0
(function (global, factory) {
  typeof exports === 'object' && typeof module !== 'undefined' ? factory(exports) : factory(global.Board = {});
})(this, (function (exports) { 'use strict';

  function insertAt(column, card, place) {
    const cards = [...column.cards];
    cards.splice(place, 0, card);
    return { ...column, cards };
  }

  function without(column, card) {
    return { ...column, cards: column.cards.filter((it) => it !== card) };
  }

  /** Moves a card to another column, to the end of it. */
  function moveCard(from, to, card) {
    return [without(from, card), insertAt(to, card, to.cards.length)];
  }

  /** Moves a card within its column. */
  function shiftCard(column, card, place) {
    return insertAt(without(column, card), card, place);
  }

  /** Moves the chosen card to the column on the right. */
  function moveRight(columns, at, card) {
    const [from, to] = moveCard(columns[at], columns[at + 1], card);
    return columns.map((it, place) => (place === at ? from : place === at + 1 ? to : it));
  }

  exports.moveCard = moveCard;
  exports.moveRight = moveRight;
  exports.shiftCard = shiftCard;
}));
//# sourceMappingURL=board.js.map
