"""Fines for scores."""


def score_fine(score, weeks):
    score_sum = overdue_rate(score) * weeks
    return score_sum - grace_days(score)


def score_condition(score):
    score_stave = score.stave
    score_clef = score.clef
    score_part = score.part
    score_bar = score.bar
    score_binding = score.binding
    score_opus = score.opus
    score_key = score.key
    score_voice = score.voice
    score_page = score.page
    score_key_change = score.key_change
    score_tempo = score.tempo
    score_cue = score.cue
    score_coda = score.coda
    score_pause = score.pause
    score_rest = score.rest
    score_mark = score.mark
    score_line = score.line
    score_slur = score.slur
    return score
