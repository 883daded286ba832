"""The signs by which each kind of fault is known, and which kinds each HTTP status leaves possible.

Gathered from what public providers, gateways and SDKs send; a sign is a rule for a kind of wording.
"""

import re
from dataclasses import dataclass

from .kinds import FaultKind as K


@dataclass(frozen=True, slots=True)
class Sign:
    """*codes* must match a whole code; *text* may match anywhere; *unless* in the text takes it back."""

    codes: re.Pattern[str]
    text: re.Pattern[str]
    unless: re.Pattern[str]


def _sign(codes: str, text: str, unless: str = r"(?!)") -> Sign:
    flags = re.IGNORECASE | re.DOTALL
    return Sign(re.compile(codes, flags), re.compile(text, flags), re.compile(unless, flags))


SIGNS: dict[K, Sign] = {
    K.ContentFilter: _sign(
        r"content_?filter(?:ed)?|content_policy(?:_violation)?|data_?inspection_?failed"
        r"|responsibleaipolicyviolation|safety|sensitive|prohibited_content|moderation_blocked|content_blocked"
        r"|image_safety|1301|1026|1027|guardrail_intervened|contentrisk|refusal",
        r"content[ _]filter|content management policy|inappropriate content|data_?inspection_?failed"
        r"|content exists risk|responsible ?ai ?policy|content[ _]polic(?:y|ies)|usage polic(?:y|ies)"
        r"|safety (?:system|filter|setting|reason|polic)"
        r"|blocked (?:by|due to|for)[^.]{0,40}(?:safety|prohibited|content|guardrail)|prohibited[ _]content"
        r"|(?:input|prompt|message|request) was flagged|considered high risk|new_sensitive"
        r"|guardrail[ _]intervened|flagged (?:as|by|for)|harmful content|敏感|违规|不安全"
        r"|内容(?:安全|审核|不合规)|风险内容|不当内容",
        r"rate limit",
    ),
    K.ModelError: _sign(
        r"tool_use_failed|output_parse_failed|malformed_function_call|tool_call_parse_failed",
        r"failed_generation|failed to call a function|model produced invalid (?:content|output)"
        r"|failed to parse tool call",
    ),
    K.Quota: _sign(
        r"insufficient_quota|exceeded_current_quota\w*|billing\w*|usage_limit_reached"
        r"|insufficient_?(?:balance|credits?|funds)\w*|1113|arrearage|allocationquota\.freetieronly"
        r"|payment_required|credits?_exhausted|budget_exceeded|overduepayment\w*|accountoverdue\w*"
        r"|usage_not_included|quota_exhausted|insufficient_user_quota|insufficientquota",
        r"insufficient[ _](?:balance|quota|credit|fund|user quota)"
        r"|(?:balance|credits?) (?:is|are) (?:\w+ ){0,2}(?:insufficient|too low|exhausted)"
        r"|exceeded (?:your |the )?(?:current|monthly|allocated) quota|(?:free )?allocated quota exceeded"
        r"|free tier[^.]{0,40}(?:exhausted|used up)|usage limit|spend(?:ing)? limit"
        r"|(?:billing|credit) (?:hard )?limit|hard limit has been|budget (?:has been )?exceeded"
        r"|exceeded (?:your )?(?:\w+ )?budget|over budget|top[ -]?up|add (?:\d+ |more )?credits|more credits"
        r"|out of credits|no credits|run out of credits|plan and billing|payment required"
        r"|account (?:is )?(?:overdue|in arrears)|overdue[ -]payment|purchase (?:more )?credits|余额不足"
        r"|欠费|充值|额度(?:已)?(?:不足|用尽|用完|耗尽)"
        r"|配额(?:已)?(?:用尽|用完|耗尽|不足)|资源包|套餐(?:已)?(?:到期|用完|用尽)"
        r"|账单",
        r"perminute|per_minute|per minute|persecond|rpm\b|tpm\b|tokens per min|requests per min",
    ),
    K.NotFound: _sign(
        r"model_?not_?found|deployment_?not_?found|not_found(?:_error)?"
        r"|resource_?not_?found(?:_error|exception)?|unknown_model|invalid_model|model_not_exist"
        r"|model_decommissioned|invalid_model_id|model_not_available|1211|modelnotopen"
        r"|invalidendpointormodel\.notfound|notfounderror",
        r"""model(?: (?:id|name|identifier))? ?[`'\"“:]*[\w./:@\-]*[`'\"”]* (?:is |was |does |do |has (?:been )?)?"""
        r"""(?:not (?:found|exist|available|recogni[sz]ed)|decommissioned|deprecated|retired|unknown)"""
        r"|model identifier is invalid|model not exist|no such model"
        r"|(?:unknown|invalid) model(?: (?:name|id))?\b|not a valid model|models?/[\w.\-]+ is not found"
        r"|deployment[^.]{0,40}does not exist|no endpoints found|try pulling it"
        r"|模型(?:\S{0,40})?(?:不存在|未找到|已下线)",
        r"invalid model output",
    ),
    K.Auth: _sign(
        r"invalid_api_?key|authentication_error|invalid_authentication\w*|permission(?:_error|_denied|denied)?"
        r"|unauthenticated|unauthorized|api_key_invalid|access_?denied(?:exception)?"
        r"|expiredtoken(?:exception)?|unrecognizedclientexception|invalidsignatureexception"
        r"|invalidclienttokenid|unsupported_country_region_territory|request_forbidden|forbidden|100[0-4]"
        r"|invalid_token|token_expired|account_deactivated|invalidapikey",
        r"api[ _-]?key[^.]{0,40}(?:invalid|not valid|incorrect|missing|expired|disabled|revoked"
        r"|required|not found|leaked|wrong)"
        r"|(?:invalid|incorrect|missing|no|wrong|bad) (?:\w+ )?"
        r"(?:api[ _-]?key|x-api-key|auth\w*|credentials|bearer|access token)"
        r"|unauthori[sz]ed|authentication (?:failed|fails?|error|required)|unsupported countr"
        r"|countr(?:y|ies), region|location is not supported|access (?:is |was )?denied|permission[ _]denied"
        r"|security token[^.]{0,40}(?:expired|invalid)|(?:not|n't) have (?:permission|access)"
        r"|not authori[sz]ed|account (?:has been |is )?(?:deactivated|disabled|suspended|banned)"
        r"|(?:令牌|密钥|身份|鉴权|认证)\S{0,12}(?:无效|失败|过期|错误|不正确|不合法|缺失)"
        r"|无效的\S{0,6}(?:令牌|密钥)|无权|未授权|没有权限",
    ),
    K.Overloaded: _sign(
        r"overloaded(?:_error)?|engine_overloaded\w*|model_capacity_exhausted|service_?unavailable\w*"
        r"|server_(?:error|overloaded|is_overloaded)|api_error|unavailable|internal(?:_server)?_?error\w*"
        r"|internalfailure|modelnotreadyexception|model_overloaded|slow_down|1305|insufficient_system_resource"
        r"|bad_gateway|serviceunavailableexception|internalserverexception|upstream_error|provider_overloaded",
        r"over[ -]?loaded|(?:at|over|out of|no|exceeds?) (?:\w+ )?capacity"
        r"|capacity (?:exceeded|exhausted|constraint)|high (?:demand|load|traffic)|peak load"
        r"|(?:server|service|model|system|engine)s? (?:is |are )?(?:currently |temporarily |too )*"
        r"(?:busy|unavailable|down)\b"
        r"|temporarily (?:un|not )available|try a different model|internal (?:server )?error"
        r"|server (?:had|experienced) an error|bad gateway|service unavailable|loading model|slow down"
        r"|no (?:healthy upstream|available (?:channel|server|worker))|繁忙"
        r"|负载(?:已)?(?:过高|较高|饱和|过大)|过载|访问量过大|资源(?:紧张|不足)"
        r"|服务(?:暂时)?不可用|内部错误|无可用渠道",
        r"temporarily rate-limited",
    ),
    K.RateLimited: _sign(
        r"rate_?limit\w*|requests|tokens|throttl\w*|too_?many_?requests\w*|resource_exhausted|rate_limited"
        r"|130[023]|concurrency_limit\w*|limitexceeded\w*|request_limit\w*",
        r"rate[ _-]?limit|too many (?:requests|tokens|concurrent)|throttl|resource has been exhausted"
        r"|resource_exhausted|(?:requests|tokens) per (?:min|sec|day|hour)|per_?minute"
        r"|concurren(?:cy|t) (?:limit|request)|quota exceeded|exceeded (?:\w+ ){0,3}quota|频繁|并发|频率"
        r"|限流|速率|请求(?:数|次数)?(?:过多|超限)",
    ),
    K.Timeout: _sign(
        r"timeout(?:_error)?|request_timeout|deadline_exceeded|gateway_timeout|etimedout"
        r"|und_err_(?:body|headers|connect)_timeout|modeltimeoutexception|esockettimedout",
        r"time[d]?[ -]?out|deadline[ _]exceeded|etimedout|超时",
    ),
    K.Network: _sign(
        r"econn\w+|enotfound|eai_again|epipe|enetunreach|ehostunreach|und_err_socket|connection_error"
        r"|network_error|err_\w*(?:network|connection)\w*",
        r"connection (?:error|reset|refused|aborted|closed|lost|terminated|was closed|broken|failure)"
        r"|connect(?:ion)? (?:failed|attempts? failed)"
        r"|(?:can(?:no|')t|could not|failed to|unable to) (?:connect|resolve|reach)|peer closed"
        r"|socket (?:hang up|error)|other side closed|network (?:error|connection|is unreachable|failure)"
        r"|econn\w+|enotfound|eai_again|epipe|broken pipe|incomplete (?:chunked )?read|error decoding response"
        r"|name (?:or service not known|resolution)|getaddrinfo|nodename nor|no route to host|ssl"
        r"|tls handshake|certificate|server disconnected|remote end closed"
        r"|unexpected (?:eof|end of (?:file|stream|json))|premature(?:ly)? (?:close|end)\w*|fetch failed"
        r"|failed to fetch|stream (?:error|closed|disconnected|ended)|terminated"
        r"|网络(?:错误|异常|连接)|连接(?:失败|重置|中断|断开)",
    ),
    K.InvalidRequest: _sign(
        r"invalid_?request(?:_error)?|bad_?request(?:_error|error)?"
        r"|invalid_?(?:parameter|argument|value|type)\w*|unsupported_(?:value|parameter)"
        r"|validation(?:_error|error|exception)|unprocessable\w*|missing_required\w*|unknown_parameter"
        r"|121[0-5]",
        r"invalid (?:request|parameter|argument|value|type|schema|json|messages?)\b|malformed|bad request"
        r"|unsupported (?:value|parameter)|(?:not|n't) supported|extraneous key"
        r"|must be (?:a response|followed)|did not have response|no tool (?:output|call) found|does not match"
        r"|missing|required|unexpected role|validation error|cannot be modified"
        r"|参数\S{0,10}(?:错误|非法|无效|有误)",
    ),
}

THROTTLED = re.compile(r"throttl\w*|too_?many_?requests\w*|rate_?limit\w*|\w*overloaded\w*", re.IGNORECASE)
_ANY = tuple(SIGNS)
_CLIENT = (K.ContentFilter, K.ModelError, K.Quota, K.NotFound, K.Auth)
_TIMEOUTS = frozenset({408, 504, 522, 524, 598, 599})


def possible(status: int | None) -> tuple[tuple[K, ...], K]:
    """Return the kinds that *status* leaves open, in the order they are looked for, and the one it means itself."""
    if status is None:
        return _ANY, K.ModelError
    fixed: dict[int, tuple[tuple[K, ...], K]] = {
        401: ((K.Quota,), K.Auth),
        402: ((), K.Quota),
        403: ((K.ContentFilter, K.Quota, K.NotFound, K.RateLimited), K.Auth),
        404: ((), K.NotFound),
        407: ((), K.Auth),
        410: ((), K.NotFound),
        413: ((), K.PromptTooLong),
        425: ((), K.Overloaded),
        429: ((K.Quota, K.Overloaded), K.RateLimited),
        451: ((K.ContentFilter,), K.Auth),
    }
    if status in fixed:
        return fixed[status]
    if status in _TIMEOUTS:
        return (), K.Timeout
    if status >= 500:
        return (K.ContentFilter, K.ModelError, K.Quota, K.RateLimited, K.Timeout), K.Overloaded
    return _CLIENT, K.InvalidRequest
