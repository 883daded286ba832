# ruff: noqa: E501
"""Errors of the same kinds in other words and wrappings than the recorded ones: what public providers send, by kind.

Each entry: the kind, then status, body, headers where they matter. The wordings follow the providers' documentation and
public reports; ids and names are made up.
"""

from typing import Any

Wording = tuple[str, int | None, Any, dict[str, str]]


def _all(kind: str, *entries: tuple[Any, ...]) -> list[Wording]:
    return [(kind, e[0], e[1], e[2] if len(e) > 2 else {}) for e in entries]


def _error(message: str, **more: object) -> dict[str, object]:
    return {"error": {"message": message, **more}}


WORDINGS: list[Wording] = [
    *_all(
        "RateLimited",
        (429, ""),
        (429, "Too Many Requests"),
        (429, "<html><head><title>429 Too Many Requests</title></head><body>nginx</body></html>"),
        (429, _error("Rate limit reached for requests", type="requests", code="rate_limit_exceeded")),
        (429, _error("APITimeoutError is not what this is: limit reached", code="1302")),
        (429, _error("您的账户已达到速率限制，请您控制请求频率", code="1302")),
        (429, _error("Requests rate limit exceeded, please try again later.", code="limit_requests")),
        (429, _error("You have been rate limited: too many concurrent requests for this organisation")),
        (429, {"message": "Request was throttled. Expected available in 12 seconds.", "code": "Throttling.RateQuota"}),
        (429, {"detail": "Rate limit exceeded: 20 per 1 minute"}),
        (400, {"__type": "ThrottlingException", "message": "Rate exceeded"}, {"x-amzn-errortype": "ThrottlingException"}),
        (None, "An error occurred (ThrottlingException) when calling the Converse operation: Too many requests"),
        (None, "Error code: 429 - {'error': {'message': 'Rate limit reached', 'code': 'rate_limit_exceeded'}}"),
        (429, _error("Your account does not have enough concurrency: max organization concurrency: 3, please try again after 1 seconds")),
        (503, _error("Slow down: your request rate has increased too quickly", code="rate_limit_exceeded")),
    ),
    *_all(
        "Overloaded",
        (503, _error("The model is overloaded. Please try again later.", code=503, status="UNAVAILABLE")),
        (503, "upstream connect error or disconnect/reset before headers. reset reason: overflow"),
        (502, "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>cloudflare</body></html>"),
        (500, "Internal Server Error"),
        (529, ""),
        (503, _error("Loading model", type="unavailable_error", code=503)),
        (None, {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}),
        (200, 'data: {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'),
        (429, _error("该模型当前访问量过大，请您稍后再试", code="1305")),
        (503, _error("当前分组上游负载已饱和，请稍后再试", type="new_api_error")),
        (500, {"message": "系统繁忙，请稍后重试", "code": 500}),
        (503, {"error": {"message": "Service temporarily unavailable", "type": "service_unavailable_error"}}),
        (520, "<html><title>api.example.com | 520: Web server is returning an unknown error</title></html>"),
        (None, _error("The server had an error while processing your request. Sorry about that!", type="server_error")),
    ),
    *_all(
        "PromptTooLong",
        (400, _error("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300123 tokens.", code="context_length_exceeded")),
        (400, _error("Your input exceeds the context window of this model. Please adjust your input and try again.", code="context_length_exceeded")),
        (400, _error("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).", status="INVALID_ARGUMENT")),
        (400, _error("This model's maximum prompt length is 131072 but the request contains 537812 tokens.")),
        (400, {"object": "error", "message": "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length", "code": "3051"}),
        (400, {"error": {"code": 400, "message": "request (9031 tokens) exceeds the available context size (4096 tokens), try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 9031, "n_ctx": 4096}}),
        (400, "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens"),
        (400, _error("prompt token count of 150000 exceeds the limit of 128000", code="model_max_prompt_tokens_exceeded")),
        (400, _error("Please reduce the length of the messages or completion. Current length is 9000 while limit is 8192", code="context_length_exceeded")),
        (413, "<html><head><title>413 Request Entity Too Large</title></head></html>"),
        (413, {"type": "error", "error": {"type": "request_too_large", "message": "Request exceeds the maximum size"}}),
        (413, _error("Request too large for model `m` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 7012, please reduce your message size and try again.", code="rate_limit_exceeded")),
        (429, _error("Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 30000, Requested 42000. The input or output tokens must be reduced in order to run successfully.", code="rate_limit_exceeded")),
        (400, {"error": {"message": "输入内容长度超过模型最大上下文长度 32768", "code": "1261"}}),
        (500, {"error": "input length exceeds maximum context length"}),
        (422, {"error": "Input validation error: `inputs` must have less than 4096 tokens. Given: 5011", "error_type": "validation"}),
        (400, {"error": {"message": "invalid params, context window exceeds limit (2013)", "type": "invalid_request_error"}}),
        (None, "litellm.ContextWindowExceededError: prompt is too long: 250000 tokens > 200000 maximum"),
    ),
    *_all(
        "TokenExhausted",
        (400, _error("max_tokens is too large: 20000. This model supports at most 16384 completion tokens, whereas you provided 20000.", param="max_tokens", code="invalid_value")),
        (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for m"}}),
        (400, _error("Range of max_tokens should be [1, 8192]", code="invalid_parameter_error")),
        (400, _error("`max_tokens` must be less than or equal to `32768`, the maximum value for `max_tokens` is less than the `context_window` for this model")),
        (400, _error("'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your request has 1234 input tokens (8192 > 8192 - 1234).")),
        (400, _error("max_tokens 不能大于 4096", code="1214")),
        (400, _error("input length and `max_tokens` exceed context limit: 150000 + 64000 > 200000, decrease input length or `max_tokens` and try again")),
    ),
    *_all(
        "Quota",
        (402, ""),
        (402, _error("This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1234.", code=402)),
        (429, _error("You exceeded your current quota, please check your plan and billing details.", type="insufficient_quota", code="insufficient_quota")),
        (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}),
        (400, _error("Billing hard limit has been reached", code="billing_hard_limit_reached")),
        (400, {"code": "Arrearage", "message": "Access denied, please make sure your account is in good standing."}),
        (403, {"code": "AllocationQuota.FreeTierOnly", "message": "The free tier of the model has been exhausted."}),
        (403, _error("用户额度不足, 剩余额度: ¥0.00", type="new_api_error", code="insufficient_user_quota")),
        (429, _error("账户余额不足，请充值", code="1113")),
        (429, {"type": "error", "error": {"type": "rate_limit_error", "message": "You have reached your specified API usage limits. You will regain access on 2026-01-01 at 00:00 UTC."}}),
    ),
    *_all(
        "Auth",
        (401, ""),
        (401, {"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}}),
        (403, {"type": "error", "error": {"type": "permission_error", "message": "Your API key does not have permission to use the specified resource."}}),
        (401, _error("身份验证失败", code="1000")),
        (401, _error("无效的令牌", type="new_api_error")),
        (400, _error("API Key not found. Please pass a valid API key.", status="INVALID_ARGUMENT")),
        (400, _error("User location is not supported for the API use.", status="FAILED_PRECONDITION")),
        (403, {"message": "The security token included in the request is expired"}, {"x-amzn-errortype": "ExpiredTokenException"}),
        (None, "The api_key client option must be set either by passing api_key to the client or by setting the OPENAI_API_KEY environment variable: missing api key"),
        (403, "<html><title>403 Forbidden</title></html>"),
    ),
    *_all(
        "ContentFilter",
        (400, _error("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", code="invalid_prompt")),
        (400, _error("系统检测到输入或生成内容可能包含不安全或敏感内容，请您避免输入易产生敏感内容的提示语", code="1301")),
        (400, _error("The request was rejected because it was considered high risk", type="content_filter")),
        (403, _error("Your chosen model requires moderation and your input was flagged for violence", code=403)),
        (400, {"code": "DataInspectionFailed", "message": "Output data may contain inappropriate content."}),
        (400, {"base_resp": {"status_code": 1026, "status_msg": "input new_sensitive"}}),
    ),
    *_all(
        "InvalidRequest",
        (400, _error("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.", code="unsupported_parameter")),
        (400, {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: Field required"}}),
        (422, {"detail": [{"loc": ["body", "messages"], "msg": "field required", "type": "value_error.missing"}]}),
        (400, _error("Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant", type="invalid_request_error")),
        (400, _error("Unexpected role 'user' after role 'tool'", type="invalid_request_error")),
        (400, _error("timeout must be a positive integer", type="invalid_request_error")),
        (400, _error("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes")),
        (400, _error("thinking.budget_tokens: Input should be greater than or equal to 1024")),
        (415, "Unsupported Media Type"),
        (405, "Method Not Allowed"),
    ),
    *_all(
        "NotFound",
        (404, ""),
        (404, "<html><title>404 Not Found</title></html>"),
        (404, {"type": "error", "error": {"type": "not_found_error", "message": "model: claude-nope"}}),
        (400, _error("Model Not Exist", type="invalid_request_error")),
        (400, _error("nope/nope is not a valid model ID", code=400)),
        (400, _error("The model `x` has been decommissioned and is no longer supported.", code="model_decommissioned")),
        (404, {"object": "error", "message": "The model `nope` does not exist.", "type": "NotFoundError", "code": 404}),
        (400, _error("模型不存在，请检查模型代码", code="1211")),
        (404, _error("No endpoints found that support tool use.", code=404)),
    ),
    *_all(
        "Timeout",
        (408, ""),
        (504, ""),
        (524, ""),
        (504, _error("Deadline expired before operation could complete.", status="DEADLINE_EXCEEDED")),
        (None, "context deadline exceeded (Client.Timeout exceeded while awaiting headers)"),
        (None, "请求超时"),
        (None, "httpx.ReadTimeout"),
    ),
    *_all(
        "Network",
        (None, "Cannot connect to host api.example.com:443 ssl:default [Name or service not known]"),
        (None, "TypeError: fetch failed"),
        (None, "[SSL: UNEXPECTED_EOF_WHILE_READING] EOF occurred in violation of protocol"),
        (None, "unexpected end of JSON input"),
        (None, "('Connection aborted.', RemoteDisconnected('Remote end closed connection without response'))"),
        (None, "read ECONNRESET"),
    ),
    *_all(
        "ModelError",
        (None, ""),
        (None, "something nobody has seen before"),
        (400, _error("Failed to call a function. Please adjust your prompt.", code="tool_use_failed")),
    ),
]  # fmt: skip
