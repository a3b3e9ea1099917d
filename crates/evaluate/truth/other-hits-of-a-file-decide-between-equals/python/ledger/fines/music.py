"""Fines for music."""


def music_fine(music, weeks):
    music_sum = overdue_rate(music) * weeks
    return music_sum - grace_days(music)


def music_condition(music):
    music_disc = music.disc
    music_case = music.case
    music_track = music.track
    music_label = music.label
    music_leaflet = music.leaflet
    music_artist = music.artist
    music_length = music.length
    music_mono = music.mono
    music_stereo = music.stereo
    music_press = music.press
    music_year = music.year
    music_side = music.side
    music_groove = music.groove
    music_speed = music.speed
    return music
