from ledger.iban import check_iban


def test_check_iban():
    assert check_iban("DE89370400440532013000")
    assert not check_iban("DE88370400440532013000")


def test_spaces_do_not_matter():
    iban = "DE89 3704 0044 0532 0130 00"
    assert check_iban(iban)
    assert check_iban(iban.lower())


def test_transfers_check_iban(transfer):
    transfer.iban = "DE88370400440532013000"
    assert not check_iban(transfer.iban)
