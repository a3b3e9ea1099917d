"""Fines for games."""


def game_fine(game, weeks):
    game_sum = overdue_rate(game) * weeks
    return game_sum - grace_days(game)


def game_condition(game):
    game_box = game.box
    game_dice = game.dice
    game_board = game.board
    game_counter = game.counter
    game_rules = game.rules
    game_pawn = game.pawn
    game_timer = game.timer
    game_cards = game.cards
    return game
