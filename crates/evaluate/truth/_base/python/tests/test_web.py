from ledger.web import Router, ok


def test_segments_are_handed_to_the_handler():
    router = Router()

    @router.route("GET", "/accounts/{number}")
    def account(body, number):
        return ok({"number": number})

    assert router.dispatch("GET", "/accounts/4400").status == 200
    assert router.dispatch("GET", "/nowhere").status == 404
