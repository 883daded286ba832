"""What a failed call to a model means, and what the user can do."""

TEXTS = {
    "advice_RateLimited": (
        "Too many requests in a short time. Wait a minute and ask again, or use a key with a higher limit."
    ),
    "advice_Overloaded": (
        "The provider is overloaded. Ask again later, or set FALLBACK_MODEL to a model that takes over."
    ),
    "advice_wait": (
        "The provider asks to wait {seconds} s. Ask again after that, or set FALLBACK_MODEL to a model that takes over."
    ),
    "advice_PromptTooLong": (
        "The conversation is longer than the model's window. Compact it (/compact) or choose a model with a "
        "larger window."
    ),
    "advice_TokenExhausted": (
        "The answer needs more tokens than are left. Ask for a part of it, or compact the conversation (/compact)."
    ),
    "advice_Timeout": (
        "The provider did not answer in time. Ask again; if that repeats, choose a faster model or check the network."
    ),
    "advice_Auth": (
        "The key is missing, wrong or not allowed to do this. Check OPENAI_API_KEY or ANTHROPIC_API_KEY and "
        "the address in OPENAI_BASE_URL."
    ),
    "advice_Quota": (
        "The account's quota or balance is used up, and waiting does not help. Check plan and billing at the "
        "provider, or use another key or model."
    ),
    "advice_ContentFilter": (
        "The provider's content filter refused it. Say it differently, or leave out the passage that it may object to."
    ),
    "advice_InvalidRequest": (
        "The provider refused the form of the request. Check the model's name and settings; if it repeats, "
        "report it with the session's export."
    ),
    "advice_NotFound": "There is no such model or address. Check AGENT_MODEL and OPENAI_BASE_URL.",
    "advice_Network": (
        "The connection to the provider failed. Check the network, a proxy and OPENAI_BASE_URL, then ask again."
    ),
    "advice_ModelError": "The model failed in a way that is not known. Ask again, or choose another model.",
    "advice_bytes": (
        "The request is too large in bytes. Remove old images or files, or compact the conversation (/compact)."
    ),
    "advice_media": "An image or a file is larger than the provider takes. Send a smaller one.",
    "advice_output": (
        "The answer may not be that long with this model. Lower the largest output or compact the "
        "conversation (/compact)."
    ),
    "advice_webpage": (
        "The address answered with a web page instead of the API. Check OPENAI_BASE_URL (it often ends in "
        "/v1) and whether a proxy asks for a login."
    ),
    "advice_certificate": (
        "The server's certificate was refused. Check the computer's clock, the address and a proxy that opens TLS."
    ),
    "told_RateLimited": "too many requests",
    "told_Overloaded": "the provider is overloaded",
    "told_PromptTooLong": "the prompt is too long",
    "told_TokenExhausted": "no tokens are left for the answer",
    "told_Timeout": "the provider did not answer in time",
    "told_Auth": "the provider refused the key",
    "told_Quota": "the quota is used up",
    "told_ContentFilter": "the content filter refused it",
    "told_InvalidRequest": "the provider refused the request",
    "told_NotFound": "no such model or address",
    "told_Network": "the connection failed",
    "told_ModelError": "the model failed",
    "told_cut": "the answer stopped at the limit of its length {detail}",
    "told_truncated": "the stream ended before the answer was complete {detail}",
    "told_silent": "the provider fell silent {detail}",
    "told_empty": "the provider sent an empty answer {detail}",
    "told_webpage": "a web page came back instead of an answer: {detail}",
    "told_history": "the conversation is not valid for the provider: {detail}",
    "detail_no_end": "(no end marker)",
    "detail_no_stop": "(no stop reason)",
    "detail_open_block": "(a part of the answer was left open)",
    "detail_bad_event": "(an event could not be read)",
    "detail_seconds": "(nothing for {seconds} s)",
    "detail_orphan_result": "message {index}: the result {id} answers no call",
    "detail_open_call": "message {index}: the call {id} has no result",
    "missing_key": "{variable} is not set: the model {model} needs it",
    "unknown_model": "unknown model {model}: expected openai/NAME, anthropic/NAME or scripted/FILE",
    "unknown_quirk": "unknown adapter {name}: expected one of {known}",
    "bad_address": "not an http(s) address: {address}",
    "bad_script": "{path}: line {line} is not a step of a script: {problem}",
    "script_over": "the script has no further reply (it had {count})",
    "surface_wait": "The wait that the provider asks for ({seconds:.0f} s) is longer than {limit:.0f} s.",
    "surface_budget": "{tries} tries and {seconds:.0f} s of waiting did not help.",
    "surface_never": "Trying again cannot help here.",
    "surface_climbed": "Every way to make the conversation smaller was tried.",
    "surface_background": "A background call does not wait.",
    "fallback_overloaded": "{model} takes over: overloaded {count} times in a row.",
    "fallback_wait": "{model} takes over: the wait asked for ({seconds:.0f} s) is too long.",
    "fallback_budget": "{model} takes over: {tries} tries and {seconds:.0f} s of waiting did not help.",
}
