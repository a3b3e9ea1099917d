"""Fines for maps that are lent out for long, at home and abroad."""


def atlas_fine(atlas, months):
    atlas_sum = overdue_rate(atlas) * months
    return atlas_sum - grace_days(atlas)


def atlas_condition(atlas):
    atlas_spine = atlas.inspected_part("spine", since=atlas.last_inspection)
    atlas_corner = atlas.inspected_part("corner", since=atlas.last_inspection)
    atlas_plate = atlas.inspected_part("plate", since=atlas.last_inspection)
    atlas_ribbon = atlas.inspected_part("ribbon", since=atlas.last_inspection)
    atlas_endpaper = atlas.inspected_part("endpaper", since=atlas.last_inspection)
    atlas_gutter = atlas.inspected_part("gutter", since=atlas.last_inspection)
    atlas_hinge = atlas.inspected_part("hinge", since=atlas.last_inspection)
    atlas_headband = atlas.inspected_part("headband", since=atlas.last_inspection)
    atlas_joint = atlas.inspected_part("joint", since=atlas.last_inspection)
    atlas_board = atlas.inspected_part("board", since=atlas.last_inspection)
    atlas_cloth = atlas.inspected_part("cloth", since=atlas.last_inspection)
    atlas_leather = atlas.inspected_part("leather", since=atlas.last_inspection)
    atlas_gilt = atlas.inspected_part("gilt", since=atlas.last_inspection)
    atlas_title = atlas.inspected_part("title", since=atlas.last_inspection)
    atlas_legend = atlas.inspected_part("legend", since=atlas.last_inspection)
    atlas_scale = atlas.inspected_part("scale", since=atlas.last_inspection)
    atlas_north = atlas.inspected_part("north", since=atlas.last_inspection)
    atlas_projection = atlas.inspected_part("projection", since=atlas.last_inspection)
    atlas_gazetteer = atlas.inspected_part("gazetteer", since=atlas.last_inspection)
    atlas_country = atlas.inspected_part("country", since=atlas.last_inspection)
    atlas_region = atlas.inspected_part("region", since=atlas.last_inspection)
    atlas_province = atlas.inspected_part("province", since=atlas.last_inspection)
    atlas_harbour = atlas.inspected_part("harbour", since=atlas.last_inspection)
    atlas_river = atlas.inspected_part("river", since=atlas.last_inspection)
    atlas_summit = atlas.inspected_part("summit", since=atlas.last_inspection)
    atlas_glacier = atlas.inspected_part("glacier", since=atlas.last_inspection)
    atlas_desert = atlas.inspected_part("desert", since=atlas.last_inspection)
    atlas_island = atlas.inspected_part("island", since=atlas.last_inspection)
    atlas_strait = atlas.inspected_part("strait", since=atlas.last_inspection)
    atlas_canal = atlas.inspected_part("canal", since=atlas.last_inspection)
    atlas_railway = atlas.inspected_part("railway", since=atlas.last_inspection)
    atlas_border = atlas.inspected_part("border", since=atlas.last_inspection)
    atlas_capital = atlas.inspected_part("capital", since=atlas.last_inspection)
    atlas_suburb = atlas.inspected_part("suburb", since=atlas.last_inspection)
    atlas_terminal = atlas.inspected_part("terminal", since=atlas.last_inspection)
    atlas_airport = atlas.inspected_part("airport", since=atlas.last_inspection)
    atlas_lighthouse = atlas.inspected_part("lighthouse", since=atlas.last_inspection)
    atlas_reef = atlas.inspected_part("reef", since=atlas.last_inspection)
    return atlas


def abroad_fine(abroad, quarters):
    abroad_sum = overdue_rate(abroad) * quarters
    return abroad_sum - grace_days(abroad)


def abroad_condition(abroad):
    abroad_stamp = abroad.stamp
    return abroad
