"""Fines for maps."""


def map_fine(map, weeks):
    map_sum = overdue_rate(map) * weeks
    return map_sum - grace_days(map)


def map_condition(map):
    map_scale = map.scale
    map_legend = map.legend
    map_grid = map.grid
    map_fold = map.fold
    map_sheet = map.sheet
    map_edition = map.edition
    map_contour = map.contour
    map_relief = map.relief
    map_border = map.border
    map_index = map.index
    map_title = map.title
    map_north = map.north
    return map
