def test_the_last_page_has_no_next_one():
    page = <CURSOR: ledger/paging.py:Page>
