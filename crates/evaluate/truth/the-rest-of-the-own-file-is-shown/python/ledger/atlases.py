"""Atlases that are lent out for long, at home and abroad."""


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


def atlas_history(atlas):
    history_of_maker = atlas.written_history("maker", until=atlas.last_inspection)
    history_of_printer = atlas.written_history("printer", until=atlas.last_inspection)
    history_of_editor = atlas.written_history("editor", until=atlas.last_inspection)
    history_of_translator = atlas.written_history("translator", until=atlas.last_inspection)
    history_of_engraver = atlas.written_history("engraver", until=atlas.last_inspection)
    history_of_colourist = atlas.written_history("colourist", until=atlas.last_inspection)
    history_of_binder = atlas.written_history("binder", until=atlas.last_inspection)
    history_of_owner = atlas.written_history("owner", until=atlas.last_inspection)
    history_of_previous_owner = atlas.written_history("previous_owner", until=atlas.last_inspection)
    history_of_bookplate = atlas.written_history("bookplate", until=atlas.last_inspection)
    history_of_stamp = atlas.written_history("stamp", until=atlas.last_inspection)
    history_of_shelfmark = atlas.written_history("shelfmark", until=atlas.last_inspection)
    history_of_barcode = atlas.written_history("barcode", until=atlas.last_inspection)
    history_of_deposit = atlas.written_history("deposit", until=atlas.last_inspection)
    history_of_insurance = atlas.written_history("insurance", until=atlas.last_inspection)
    history_of_appraisal = atlas.written_history("appraisal", until=atlas.last_inspection)
    history_of_auction_lot = atlas.written_history("auction_lot", until=atlas.last_inspection)
    history_of_auction_price = atlas.written_history("auction_price", until=atlas.last_inspection)
    history_of_exhibition = atlas.written_history("exhibition", until=atlas.last_inspection)
    history_of_lender = atlas.written_history("lender", until=atlas.last_inspection)
    history_of_borrower = atlas.written_history("borrower", until=atlas.last_inspection)
    history_of_courier = atlas.written_history("courier", until=atlas.last_inspection)
    history_of_crate = atlas.written_history("crate", until=atlas.last_inspection)
    history_of_humidity = atlas.written_history("humidity", until=atlas.last_inspection)
    history_of_temperature = atlas.written_history("temperature", until=atlas.last_inspection)
    history_of_light_hours = atlas.written_history("light_hours", until=atlas.last_inspection)
    history_of_last_cleaned = atlas.written_history("last_cleaned", until=atlas.last_inspection)
    history_of_restorer = atlas.written_history("restorer", until=atlas.last_inspection)
    history_of_varnish = atlas.written_history("varnish", until=atlas.last_inspection)
    return atlas


def abroad_fine(abroad, quarters):
    total = overdue_rate(abroad) * quarters
    return total - <CURSOR:>grace_days(abroad)
