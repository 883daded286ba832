"""What an overflow error reveals: what is too large (prompt, output asked for, bytes), and the limits."""

import re
from dataclasses import dataclass

from .evidence import Evidence
from .kinds import Cause, FaultKind

_N = r"[^\d\n]{0,3}(\d[\d,_]*)"
_LEAST_ROOM = 256  # tokens: with less room than this for the answer, a smaller max_tokens does not help


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_OUTPUT = _re(
    r"max_(?:completion_|new_|output_)?tokens|max_?output_?tokens|maximum tokens (?:you requested|value)|最大输出"
)
_TOO_MUCH = _re(
    r"too (?:large|big|high)|range|exceed|above max|at most|up to|less than or equal"
    r"|must be (?:<=|less|smaller|lower)|<=|>\s*\d|greater than"
    r"|maximum (?:allowed|value)|不能(?:大于|超过)|超过|超出|大于|范围|非法"
)
_NOT_OUTPUT = _re(
    r"unsupported parameter|is not supported with|field required|unknown parameter|unrecognized|extra inputs"
    r"|instead\.?$"
)
_PROMPT = _re(
    r"(?:prompt|input|request|messages?|query|context)(?: \w+){0,3} (?:is |are |was )?too (?:long|large)"
    r"|prompt_too_long|context_length_exceeded|context_window_exceeded|exceed_context_size"
    r"|(?:context|prompt|input)[ _](?:length|window|size|limit)|model'?s? context"
    r"|longer than the (?:maximum )?model|model token limit|maximum context"
    r"|maximum (?:prompt|input|model) length"
    r"|reduce (?:the length of )?(?:the|your) (?:prompt|messages?|input)|too many (?:input |total )?tokens"
    r"|tokens? (?:count )?(?:of \d+ )?exceed"
    r"|exceeds? (?:the )?(?:\w+ )?(?:max\w* )?(?:number of )?(?:input )?tokens?\b"
    r"|prompt exceeds|max message tokens|string_above_max_length|string too long"
    r"|input validation error: .?inputs|current length is \d+|context overflow"
    r"|上下文(?:长度|窗口|超)|输入(?:内容)?(?:过长|太长|长度)"
    r"|(?:长度|token\w*|字数)\s*(?:数)?(?:超过|超出|超限)|超(?:出|过)\S{0,12}(?:长度|上下文|token)"
)
_BYTES = _re(
    r"entity too large|request_too_large|payload|content too large|maximum (?:request )?size|\bbytes\b"
    r"|\b[km]i?b\b|body (?:is )?too large|body exceeds|content length"
)
_MEDIA = _re(
    r"(?:image|picture|file|pdf|document|audio|attachment)s?\b[^.]{0,60}"
    r"(?:exceeds?|too (?:large|big|many)|larger than|dimensions)"
    r"|图片[^。]{0,20}(?:过大|超)"
)
_PER_TIME = _re(r"per[ _]?(?:min|day|hour|sec|month)|\b[tr]p[md]\b|rate[ _-]?limit|please wait|频|并发")
_TPM = _re(r"limit:?\s*([\d,]+)[^\d]{1,60}?(?:used:?\s*[\d,]+\D{1,20})?requested:?\s*([\d,]+)")
_TOO_LARGE = _re(r"request too large|tokens must be reduced|single request[^.]{0,60}(?:exceed|too large)")

_SUM = _re(rf"{_N}\s*\+{_N}\s*>{_N}")
_SHARES = _re(r"requested (?:about )?([\d,]+) tokens \((.{0,200}?)\)")
_ASKED_OUTPUT = _re(r"([\d,]+) (?:tokens )?(?:in|for|of) (?:the |your )?(?:completion|output)")
_HAS_INPUT = _re(
    r"(?:has|contains|resulted in|requested|(?<!maximum context )(?<!model )length(?: is)?|token count(?: of)?"
    r"|input|prompt|given|requested tokens)"
    r"\W{1,3}([\d,]+)(?: input| tokens?\b|\)| while|\s*(?:exceed|>|$))"
)
_ANTHROPIC = _re(r"too long\W+([\d,]+) tokens > ([\d,]+)")
_WINDOWS = tuple(
    _re(p)
    for p in (
        rf"maximum context length (?:is|of|limit is){_N}",
        rf"maximum (?:prompt|input|model) length (?:is|of){_N}",
        rf"too long\W+[\d,]+ tokens >{_N}",
        rf"context limit\W+[\d,]+ \+ [\d,]+ >{_N}",
        rf"token limit:{_N}",
        rf"input length should be \[\d+,{_N}",
        r"context[ _](?:length|window|size)(?: is| of)?(?: only)?[^\w\n]{1,2}(\d[\d,_]*)",
        r"(\d[\d,_]*) (?:tokens? )?(?:maximum context|context (?:length|window))",
        rf"maximum number of tokens allowed{_N}",
        rf"exceeds? the (?:configured )?limit of{_N}",
        rf"(?:inputs|input tokens|`inputs`).{{0,40}}(?:must be <=|less than){_N}",
        rf"while (?:the )?limit is{_N}",
        rf"(?:prompt|tokens|length) cannot exceed{_N}",
        rf"exceeds the maximum (?:length|context)(?: of)?{_N}",
        rf"configured limit of{_N}",
        r"(?:上下文|输入)\S{0,16}?(?:最大|上限|不(?:能)?超过|限制)[^\d\n]{0,8}(\d[\d,_]*)",
    )
)
_OUTPUT_LIMITS = tuple(
    _re(p)
    for p in (
        rf"at most{_N} (?:completion|output)?",
        rf"max_\w*tokens[^\w\n]{{1,4}}[\d,]+ >{_N}",
        rf"range (?:of \w+ )?(?:is|should be|from)?\s*\[\d+,{_N}\]",
        rf"valid range of \w+ is \[\d+,{_N}\]",
        rf"(?:value|be) <={_N}",
        rf"less than or equal to{_N}",
        rf"model limit of{_N}",
        rf"to{_N} \(exclusive\)",
        r"(?:不能(?:大于|超过)|最大(?:值)?为?|不超过)[^\d\n]{0,4}(\d[\d,_]*)",
    )
)


@dataclass(frozen=True, slots=True)
class Overflow:
    kind: FaultKind
    cause: Cause
    window: int | None = None
    prompt_tokens: int | None = None
    output_limit: int | None = None


def overflow(evidence: Evidence) -> Overflow | None:
    """Return what is too long, or None; a limit per minute is an overflow only if one request alone breaks it."""
    text, status = evidence.text, evidence.status
    if _beyond_every_wait(text):
        return Overflow(FaultKind.PromptTooLong, "tokens")
    if status in {401, 402, 403, 404, 429}:
        return None
    if _MEDIA.search(text) and (status is None or status < 500):
        return Overflow(FaultKind.PromptTooLong if status == 413 else FaultKind.InvalidRequest, "media")
    if status == 413 and (evidence.html or _BYTES.search(text) or not _PROMPT.search(text)):
        return Overflow(FaultKind.PromptTooLong, "bytes")
    if "request_too_large" in evidence.codes:
        return Overflow(FaultKind.PromptTooLong, "bytes")
    if _PER_TIME.search(text):
        return None
    window, prompt = _window(evidence), _prompt(evidence)
    if _output_asked_too_much(text, window, prompt):
        return Overflow(FaultKind.TokenExhausted, "output", window, prompt, _first(_OUTPUT_LIMITS, text))
    codes = " ".join(evidence.codes)
    if _PROMPT.search(text) or _PROMPT.search(codes) or "1261" in evidence.codes:
        return Overflow(FaultKind.PromptTooLong, "tokens", window, prompt)
    return None


def _beyond_every_wait(text: str) -> bool:
    """One request that asks for more than a whole minute's (or day's) allowance: no wait heals that."""
    if not _PER_TIME.search(text):
        return False
    found = _TPM.search(text)
    return _int(found[2]) > _int(found[1]) if found else bool(_TOO_LARGE.search(text))


def _output_asked_too_much(text: str, window: int | None, prompt: int | None) -> bool:
    """True if a smaller ``max_tokens`` heals it: the prompt itself leaves room."""
    fits = window is not None and prompt is not None and prompt + _LEAST_ROOM <= window
    if window is not None and prompt is not None and not fits:
        return False
    named = bool(_OUTPUT.search(text)) and bool(_TOO_MUCH.search(text)) and not _NOT_OUTPUT.search(text)
    shared = _SHARES.search(text) is not None or _SUM.search(text) is not None
    return named or (fits and shared)


def _window(evidence: Evidence) -> int | None:
    n_ctx = evidence.fields.get("n_ctx")
    return n_ctx if isinstance(n_ctx, int) else _first(_WINDOWS, evidence.text)


def _prompt(evidence: Evidence) -> int | None:
    """Return the prompt's tokens as the provider counted them, without the output that was asked for."""
    told, text = evidence.fields.get("n_prompt_tokens"), evidence.text
    if isinstance(told, int):
        return told
    if found := _SUM.search(text):
        return _int(found[1])
    if found := _ANTHROPIC.search(text):
        return _int(found[1])
    if found := _SHARES.search(text):
        output = _ASKED_OUTPUT.search(found[2])
        return _int(found[1]) - (_int(output[1]) if output else 0)
    found = _HAS_INPUT.search(text)
    return _int(found[1]) if found else None


def _first(patterns: tuple[re.Pattern[str], ...], text: str) -> int | None:
    for pattern in patterns:
        found = pattern.search(text)
        if found and _int(found[1]) > 1:
            return _int(found[1])
    return None


def _int(digits: str) -> int:
    return int(re.sub(r"\D", "", digits) or 0)
