"""People and their browsers: what the store holds opens no door, and a code moves a seat to another browser."""

from __future__ import annotations

import pytest
from tests.table.hall import Hall

from meja.errors import MejaError
from meja.table.accounts import Accounts
from meja.table.people import LONGEST_NAME, check_name, clean

pytestmark = pytest.mark.anyio


async def test_a_browser_is_known_by_its_token_alone(hall: Hall) -> None:
    accounts = Accounts(hall.store, hall.clock)
    ana, token = await accounts.guest("Ana")
    budi, other = await accounts.guest("Ana")
    assert ana.id != budi.id
    for made in (accounts, Accounts(hall.store, hall.clock)):
        assert await made.of_token(token) == ana
        assert await made.of_token(other) == budi
        for wrong in ("", "x", ana.id, token[:-1], token + "x", token.swapcase(), "é" * 40, "a" * 5000):
            assert await made.of_token(wrong) is None


async def test_the_store_holds_no_token_and_no_code(hall: Hall) -> None:
    accounts = Accounts(hall.store, hall.clock)
    ana, token = await accounts.guest("Ana")
    code = await accounts.recovery_code(ana)
    await hall.close()
    data = b"".join(path.read_bytes() for path in hall.path.parent.glob(hall.path.name + "*"))
    assert ana.id.encode() in data
    for secret in (token, code, code.replace("-", "")):
        assert secret.encode() not in data


async def test_a_recovery_code_signs_another_browser_in_and_a_new_one_ends_it(hall: Hall) -> None:
    accounts = Accounts(hall.store, hall.clock)
    ana, token = await accounts.guest("Ana")
    code = await accounts.recovery_code(ana)
    assert len(code) == 14
    for written in (code, code.lower(), code.replace("-", ""), f"  {code[:4]} {code[5:]} "):
        person, second = await accounts.recover(written)
        assert person == ana
        assert second != token
        assert await accounts.of_token(second) == ana
    # The old browser stays signed in.
    assert await accounts.of_token(token) == ana
    newer = await accounts.recovery_code(ana)
    for wrong in (code, newer[:-1], "", "AAAA-AAAA-AAAA", newer + "A"):
        with pytest.raises(MejaError):
            await accounts.recover(wrong)
    assert (await accounts.recover(newer))[0] == ana


async def test_signing_out_ends_one_browser_at_once(hall: Hall) -> None:
    accounts = Accounts(hall.store, hall.clock)
    ana, token = await accounts.guest("Ana")
    _, second = await accounts.recover(await accounts.recovery_code(ana))
    await accounts.sign_out(token)
    assert await accounts.of_token(token) is None
    assert await accounts.of_token(second) == ana


async def test_a_new_name_is_known_everywhere(hall: Hall) -> None:
    accounts = Accounts(hall.store, hall.clock)
    ana, token = await accounts.guest("Ana")
    _, second = await accounts.recover(await accounts.recovery_code(ana))
    await accounts.rename(ana, "  Ana   Maria ")
    for browser in (token, second):
        found = await accounts.of_token(browser)
        assert found is not None
        assert found.name == "Ana Maria"
        assert found.id == ana.id


async def test_nobody_is_made_of_a_bad_name(hall: Hall) -> None:
    accounts = Accounts(hall.store, hall.clock)
    for name in ("", "   ", "\u200b\u202e", "x" * (LONGEST_NAME + 1)):
        with pytest.raises(MejaError):
            await accounts.guest(name)
    count = await hall.store.read(lambda connection: connection.execute("SELECT count(*) FROM people").fetchone()[0])
    assert count == 0


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Ana", "Ana"),
        (" Ana\n\tMaria ", "Ana Maria"),
        ("A\u202ena", "A na"),
        ("e\u0301va", "éva"),
        ("<b>Ana</b>", "<b>Ana</b>"),
        ("a" * LONGEST_NAME, "a" * LONGEST_NAME),
    ],
)
def test_a_name_is_shown_in_one_line(given: str, shown: str) -> None:
    assert check_name(given) == shown
    assert clean(check_name(given)) == shown
