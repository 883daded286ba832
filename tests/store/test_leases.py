"""One writer a session: the clock says who is dead, the fence says who may write."""

from datetime import UTC, datetime, timedelta

import pytest

from astroresearch.context.messages import user
from astroresearch.store.sessions import LeaseLost, NoSuchSession, SessionInUse, Store

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def after(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
async def key(store: Store) -> str:
    return (await store.create_session()).session_id


async def test_a_second_living_holder_is_told_who_and_until_when(store: Store, key: str) -> None:
    await store.acquire_lease(key, "host-a:17", 30, now=NOON)
    with pytest.raises(SessionInUse) as caught:
        await store.acquire_lease(key, "host-b:4", 30, now=after(29.9))
    assert (caught.value.holder, caught.value.expires) == ("host-a:17", after(30))
    assert str(caught.value) == (
        f"session {key} is in use by host-a:17 until 2030-01-01T12:00:30+00:00: wait, or end that process"
    )
    assert "host-a:17" in caught.value.said("zh")


async def test_a_dead_holder_is_taken_over_and_can_write_no_more(store: Store, key: str) -> None:
    dead = await store.acquire_lease(key, "a", 30, now=NOON)
    await store.commit(key, 1, messages=[user("by a")], fence=dead.fence)
    living = await store.acquire_lease(key, "b", 30, now=after(30))
    assert living.fence > dead.fence
    with pytest.raises(LeaseLost, match="taken over"):
        await store.commit(key, 1, messages=[user("late, by a")], events=[{"type": "x"}], fence=dead.fence)
    with pytest.raises(LeaseLost):
        await store.begin_turn(key, user("late"), fence=dead.fence)
    with pytest.raises(LeaseLost):
        await store.update_session(key, engine_state={"by": "a"}, fence=dead.fence)
    with pytest.raises(LeaseLost):
        await store.renew_lease(dead, 30, now=after(31))
    committed = await store.commit(key, 1, messages=[user("by b")], events=[{"type": "y"}], fence=living.fence)
    assert (committed.positions, committed.seqs) == ((1,), (1,))
    assert [entry.message.text for entry in await store.history(key)] == ["by a", "by b"]
    assert (await store.session(key)).engine_state is None


async def test_a_renewed_lease_lives_on_with_the_same_fence(store: Store, key: str) -> None:
    lease = await store.acquire_lease(key, "a", 30, now=NOON)
    renewed = await store.renew_lease(lease, 30, now=after(20))
    assert (renewed.fence, renewed.expires) == (lease.fence, after(50))
    with pytest.raises(SessionInUse):
        await store.acquire_lease(key, "b", 30, now=after(40))


async def test_an_expired_lease_that_nobody_took_still_writes(store: Store, key: str) -> None:
    """A clock that jumps ahead by a day costs nobody's work."""
    lease = await store.acquire_lease(key, "a", 30, now=datetime.now(UTC) - timedelta(days=1))
    await store.commit(key, 1, messages=[user("still a")], fence=lease.fence)
    assert (await store.renew_lease(lease, 30)).fence == lease.fence


async def test_a_lease_given_back_is_free_at_once(store: Store, key: str) -> None:
    lease = await store.acquire_lease(key, "a", 1_000, now=NOON)
    await store.release_lease(lease)
    with pytest.raises(LeaseLost):
        await store.commit(key, 1, messages=[user("x")], fence=lease.fence)
    taken = await store.acquire_lease(key, "b", 30, now=after(1))
    await store.release_lease(lease)  # too late: it is b's now
    with pytest.raises(SessionInUse):
        await store.acquire_lease(key, "c", 30, now=after(2))
    assert taken.fence == lease.fence + 1


async def test_the_same_holder_begins_anew_with_a_new_fence(store: Store, key: str) -> None:
    first = await store.acquire_lease(key, "a", 30, now=NOON)
    second = await store.acquire_lease(key, "a", 30, now=after(1))
    assert second.fence == first.fence + 1
    with pytest.raises(LeaseLost):
        await store.commit(key, 1, fence=first.fence)


async def test_without_a_lease_nobody_writes_while_another_lives_on_the_session(store: Store, key: str) -> None:
    await store.commit(key, 1, messages=[user("free")])
    lease = await store.acquire_lease(key, "a", 3_600)
    with pytest.raises(SessionInUse):
        await store.commit(key, 1, messages=[user("between")])
    await store.release_lease(lease)
    await store.commit(key, 1, messages=[user("free again")])
    assert [entry.message.text for entry in await store.history(key)] == ["free", "free again"]


async def test_leases_are_of_sessions_that_exist(store: Store) -> None:
    with pytest.raises(NoSuchSession):
        await store.acquire_lease("nowhere-1", "a", 30, now=NOON)
