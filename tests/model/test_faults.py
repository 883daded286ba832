"""Every failure is told apart by what helps: recorded errors, other wordings, exceptions, all forms of waits."""

import json
import socket
import ssl
from email.utils import formatdate
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from astroresearch.locales import LOCALES, texts
from astroresearch.model.faults import FaultKind, ModelFailure, classify_error, noticed
from tests.model.wordings import WORDINGS

NOW = 1_700_000_000.0
NEVER = {"Auth", "Quota", "ContentFilter", "InvalidRequest", "NotFound", "PromptTooLong", "TokenExhausted"}


def test_every_recorded_error_is_told_apart_with_its_wait(shared: Path) -> None:
    rows = [json.loads(line) for line in (shared / "data" / "provider_errors.jsonl").read_text("utf-8").splitlines()]
    assert len(rows) == 97
    wrong = []
    for number, row in enumerate(rows, 1):
        fault = classify_error(status=row["status"], headers=row["headers"], body=row["body"])
        asked = row.get("retry_after_s")
        waits = asked is None or (fault.retry_after is not None and abs(fault.retry_after - asked) <= 0.01 * asked)
        if fault.kind not in {row["expected"], *row.get("also_ok", [])} or not waits:
            wrong.append((number, row["provider"], row["expected"], fault))
    assert wrong == []


def test_every_recorded_error_reads_the_same_as_bytes_text_and_json(shared: Path) -> None:
    for line in (shared / "data" / "provider_errors.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        text = row["body"] if isinstance(row["body"], str) else json.dumps(row["body"], ensure_ascii=False)
        kinds = {classify_error(status=row["status"], body=b).kind for b in (row["body"], text, text.encode())}
        assert len(kinds) == 1, (row["provider"], kinds)


@pytest.mark.parametrize(("kind", "status", "body", "headers"), WORDINGS)
def test_the_same_kinds_in_other_words(kind: str, status: int | None, body: Any, headers: dict[str, str]) -> None:
    fault = classify_error(status=status, body=body, headers=headers)
    assert fault.kind == kind
    assert fault.kind not in NEVER or not fault.retryable


@pytest.mark.parametrize(
    "wrap", [json.dumps, lambda b: json.dumps(json.dumps(b)), lambda b: f"proxy said: b'{json.dumps(b)}'"]
)
def test_an_error_inside_strings_of_an_error_is_found(wrap: Any) -> None:
    inner = {
        "error": {"type": "invalid_request_error", "message": "prompt is too long: 208310 tokens > 200000 maximum"}
    }
    fault = classify_error(status=400, body={"error": {"message": wrap(inner), "code": 400}})
    assert (fault.kind, fault.window, fault.prompt_tokens) == ("PromptTooLong", 200_000, 208_310)


@pytest.mark.parametrize(
    ("headers", "body", "seconds"),
    [
        ({"Retry-After": "20"}, "", 20.0),
        ({"retry-after": "1.5"}, "", 1.5),
        ({"retry-after": "30s"}, "", 30.0),
        ({"retry-after-ms": "250", "retry-after": "9"}, "", 0.25),
        ({"retry-after": formatdate(NOW + 37, usegmt=True)}, "", 37.0),
        ({"retry-after": formatdate(NOW + 500, usegmt=True), "date": formatdate(NOW + 490, usegmt=True)}, "", 10.0),
        ({"retry-after": formatdate(NOW - 10, usegmt=True)}, "", None),
        ({"retry-after": str(int(NOW) + 45)}, "", 45.0),
        ({"retry-after": "nan"}, "", None),
        ({"retry-after": "soon"}, "", None),
        ({"x-ratelimit-reset-requests": "1s", "x-ratelimit-reset-tokens": "6m0s"}, "", 360.0),
        ({"x-ratelimit-reset-requests": "17ms", "x-ratelimit-remaining-requests": "0",
          "x-ratelimit-reset-tokens": "6m0s", "x-ratelimit-remaining-tokens": "9000"}, "", 0.017),
        ({"x-ratelimit-reset": str(int(NOW * 1000) + 8000)}, "", 8.0),
        ({"anthropic-ratelimit-requests-reset": "2023-11-14T22:13:50Z"}, "", 30.0),
        ({}, "Please try again in 1m26.4s. Visit the page.", 86.4),
        ({}, "Please try again in 6ms.", 0.006),
        ({}, "Please try again in 7h12m.", 25_920.0),
        ({}, "try again in 5 days 22 hours 11 minutes", 511_860.0),
        ({}, "Please retry after 45 seconds.", 45.0),
        ({}, "please wait 30s before the next request", 30.0),
        ({}, "请在 20 秒后重试", 20.0),
        ({}, "请求过于频繁，请3分钟后再试", 180.0),
        ({}, "Please try again later.", None),
        ({}, {"error": {"message": "x", "details": [{"@type": "RetryInfo", "retryDelay": "47s"}]}}, 47.0),
        ({}, {"error": {"message": "x", "details": [{"@type": "RetryInfo", "retryDelay": "3.25s"}]}}, 3.25),
        ({}, {"error": {"message": "x"}, "retry_after": 12}, 12.0),
        ({}, {"error": {"message": "x"}, "headers": {"X-RateLimit-Reset": str(int(NOW * 1000) + 4000)}}, 4.0),
    ],
)  # fmt: skip
def test_a_wait_is_read_in_every_form(headers: dict[str, str], body: Any, seconds: float | None) -> None:
    fault = classify_error(status=429, headers=headers, body=body, now=NOW)
    assert fault.kind == "RateLimited"
    assert fault.retry_after == (None if seconds is None else pytest.approx(seconds, rel=0.01))


def chained(outer: BaseException, inner: BaseException) -> BaseException:
    outer.__cause__ = inner
    return outer


@pytest.mark.parametrize(
    ("exception", "kind"),
    [
        (TimeoutError(), "Timeout"),
        (httpx.ReadTimeout("read timed out"), "Timeout"),
        (httpx.ConnectTimeout(""), "Timeout"),
        (httpx.RemoteProtocolError("peer closed connection without sending complete message body"), "Network"),
        (httpx.ConnectError("[Errno -2] Name or service not known"), "Network"),
        (ConnectionResetError(104, "Connection reset by peer"), "Network"),
        (BrokenPipeError(32, "Broken pipe"), "Network"),
        (socket.gaierror(-3, "Temporary failure in name resolution"), "Network"),
        (ssl.SSLError(1, "unexpected eof while reading"), "Network"),
        (json.JSONDecodeError("Expecting value", "{", 1), "Network"),
        (httpx.UnsupportedProtocol("Request URL is missing a protocol"), "InvalidRequest"),
        (RuntimeError("Error code: 429 - {'error': {'message': 'Rate limit reached'}}"), "RateLimited"),
        (ExceptionGroup("both", [ConnectionRefusedError(111, "refused")]), "Network"),
        (chained(RuntimeError("Connection error."), httpx.ReadTimeout("")), "Timeout"),
        (ValueError("a bug of ours"), "ModelError"),
    ],
)
def test_exceptions_are_told_apart(exception: BaseException, kind: str) -> None:
    assert classify_error(exception=exception).kind == kind


def test_what_the_sdks_raise_is_told_apart_with_its_headers() -> None:
    import httpx2
    import openai

    asked = httpx2.Request("POST", "https://api.example.com/v1/chat/completions")
    answer = httpx2.Response(429, headers={"retry-after": "2"}, request=asked)
    limited = openai.RateLimitError("Error code: 429", response=answer, body={"code": "rate_limit_exceeded"})
    fault = classify_error(exception=limited)
    assert (fault.kind, fault.status, fault.retry_after) == ("RateLimited", 429, 2.0)
    assert classify_error(exception=openai.APITimeoutError(request=asked)).kind == "Timeout"
    assert classify_error(exception=openai.APIConnectionError(request=asked)).kind == "Network"


def test_a_refused_certificate_is_not_tried_again() -> None:
    refused = ssl.SSLCertVerificationError(1, "certificate verify failed: certificate has expired")
    fault = classify_error(exception=chained(httpx.ConnectError("SSL"), refused))
    assert (fault.kind, fault.cause, fault.retryable) == ("Network", "certificate", False)
    assert "clock" in fault.advice("en")


def test_a_server_that_forbids_a_retry_is_obeyed_and_none_can_allow_one_for_a_bad_key() -> None:
    assert not classify_error(status=429, headers={"x-should-retry": "false"}).retryable
    assert not classify_error(status=401, headers={"x-should-retry": "true"}).retryable


@pytest.mark.parametrize("kind", list(FaultKind))
def test_each_kind_tells_the_user_what_to_do_in_both_languages(kind: FaultKind) -> None:
    for locale in LOCALES:
        assert texts(locale, "model")[f"advice_{kind}"]
        assert texts(locale, "model")[f"told_{kind}"]


def test_advice_names_the_setting_to_check_and_the_wait() -> None:
    assert "OPENAI_API_KEY" in classify_error(status=401).advice("en")
    assert "充值" in classify_error(status=402, body="余额不足，请充值").message
    assert "45" in classify_error(status=429, headers={"retry-after": "45"}).advice("zh")


def test_a_key_in_an_error_text_is_not_repeated() -> None:
    fault = classify_error(status=401, body="Incorrect API key provided: sk-proj-abcdefghijklmnop1234567890")
    assert "abcdefghijklmnop" not in fault.message


def test_what_we_notice_ourselves_is_told_in_the_users_language() -> None:
    failure = ModelFailure(noticed("truncated", "(no end marker)"))
    assert failure.fault.retryable
    assert "流" in failure.fault.told("zh")
    assert "stream" in str(failure)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["error", "code", "message", "x"]), inner)
    ),
    max_leaves=8,
)


@given(
    st.none() | st.integers(-1, 700),
    JSON | st.binary(max_size=40),
    st.dictionaries(st.text(max_size=9), st.text(max_size=9)),
)
def test_whatever_comes_back_is_some_fault_with_a_sane_wait(
    status: int | None, body: Any, headers: dict[str, str]
) -> None:
    fault = classify_error(status=status, body=body, headers=headers, now=NOW)
    assert fault.kind in FaultKind
    assert fault.retry_after is None or 0 < fault.retry_after < float("inf")
    assert not (fault.retryable and fault.kind in NEVER)
    assert "\n" not in fault.message
