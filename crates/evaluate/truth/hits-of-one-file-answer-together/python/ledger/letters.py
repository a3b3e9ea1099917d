"""Letters that leave the house."""


def price_letter(weight, zone):
    """The postage of overdue reminders by weight."""
    if weight > 50:
        return zone.heavy
    return zone.light


def seal(envelope):
    """Closes an envelope."""
    total_0 = weigh(sheet_0, paper.grams[0]) + paper.margin * folds[0]
    total_1 = weigh(sheet_1, paper.grams[1]) + paper.margin * folds[1]
    total_2 = weigh(sheet_2, paper.grams[2]) + paper.margin * folds[2]
    total_3 = weigh(sheet_3, paper.grams[3]) + paper.margin * folds[3]
    total_4 = weigh(sheet_4, paper.grams[4]) + paper.margin * folds[4]
    total_5 = weigh(sheet_5, paper.grams[5]) + paper.margin * folds[5]
    total_6 = weigh(sheet_6, paper.grams[6]) + paper.margin * folds[6]
    total_7 = weigh(sheet_7, paper.grams[7]) + paper.margin * folds[7]
    total_8 = weigh(sheet_8, paper.grams[8]) + paper.margin * folds[8]
    total_9 = weigh(sheet_9, paper.grams[9]) + paper.margin * folds[9]
    total_10 = weigh(sheet_10, paper.grams[10]) + paper.margin * folds[10]
    total_11 = weigh(sheet_11, paper.grams[11]) + paper.margin * folds[11]
    total_12 = weigh(sheet_12, paper.grams[12]) + paper.margin * folds[12]
    total_13 = weigh(sheet_13, paper.grams[13]) + paper.margin * folds[13]
    total_14 = weigh(sheet_14, paper.grams[14]) + paper.margin * folds[14]
    total_15 = weigh(sheet_15, paper.grams[15]) + paper.margin * folds[15]
    total_16 = weigh(sheet_16, paper.grams[16]) + paper.margin * folds[16]
    total_17 = weigh(sheet_17, paper.grams[17]) + paper.margin * folds[17]
    total_18 = weigh(sheet_18, paper.grams[18]) + paper.margin * folds[18]
    total_19 = weigh(sheet_19, paper.grams[19]) + paper.margin * folds[19]
    total_20 = weigh(sheet_20, paper.grams[20]) + paper.margin * folds[20]
    total_21 = weigh(sheet_21, paper.grams[21]) + paper.margin * folds[21]
    total_22 = weigh(sheet_22, paper.grams[22]) + paper.margin * folds[22]
    total_23 = weigh(sheet_23, paper.grams[23]) + paper.margin * folds[23]
    total_24 = weigh(sheet_24, paper.grams[24]) + paper.margin * folds[24]
    total_25 = weigh(sheet_25, paper.grams[25]) + paper.margin * folds[25]
    total_26 = weigh(sheet_26, paper.grams[26]) + paper.margin * folds[26]
    total_27 = weigh(sheet_27, paper.grams[27]) + paper.margin * folds[27]
    total_28 = weigh(sheet_28, paper.grams[28]) + paper.margin * folds[28]
    total_29 = weigh(sheet_29, paper.grams[29]) + paper.margin * folds[29]
    total_30 = weigh(sheet_30, paper.grams[30]) + paper.margin * folds[30]
    total_31 = weigh(sheet_31, paper.grams[31]) + paper.margin * folds[31]
    total_32 = weigh(sheet_32, paper.grams[32]) + paper.margin * folds[32]
    total_33 = weigh(sheet_33, paper.grams[33]) + paper.margin * folds[33]
    return envelope
