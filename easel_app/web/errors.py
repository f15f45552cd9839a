"""One shape for every error: `{"error": {"code", "message", "field"}}`."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException

from easel_app.painting.stroke import explain
from easel_app.services import problems
from easel_app.store.database import StoreFull

STATUS: dict[type[problems.Refusal], int] = {
    problems.Unauthenticated: 401,
    problems.Forbidden: 403,
    problems.NotFound: 404,
    problems.Conflict: 409,
    problems.TooLarge: 413,
    problems.Unsupported: 415,
    problems.Invalid: 422,
    problems.Busy: 503,
}
log = logging.getLogger(__name__)


class ErrorDetail(BaseModel):
    """What happened, why, and what to do."""

    code: str = Field(description="Stable name of the reason.")
    message: str = Field(description="One sentence.")
    field: str | None = Field(description="Path of the input that is to blame, if one is.")


class ErrorBody(BaseModel):
    """Every error looks like this."""

    error: ErrorDetail = Field(description="The error.")


def responses(*codes: int) -> dict[int | str, dict[str, Any]]:
    """OpenAPI description of a route's errors."""
    return {code: {"model": ErrorBody} for code in (*codes, 422)}


def error(status: int, code: str, message: str, field: str | None = None) -> JSONResponse:
    """An error as a response."""
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
    body = ErrorBody(error=ErrorDetail(code=code, message=message, field=field))
    return JSONResponse(body.model_dump(), status, headers)


def install(app: FastAPI) -> None:
    """Give every error of an app the one shape."""

    @app.exception_handler(problems.Refusal)
    def refused(_: Request, refusal: problems.Refusal) -> JSONResponse:
        return error(STATUS[type(refusal)], refusal.code, refusal.message, refusal.field)

    @app.exception_handler(StoreFull)
    def full(_: Request, fault: StoreFull) -> JSONResponse:
        return error(507, "disk_full", str(fault))

    @app.exception_handler(RequestValidationError)
    def invalid(_: Request, fault: RequestValidationError) -> JSONResponse:
        problem = explain([dict(entry) for entry in fault.errors()], "request")
        return error(422, "invalid", problem.message, problem.field or None)

    @app.exception_handler(HTTPException)
    def other(_: Request, fault: HTTPException) -> JSONResponse:
        code = {400: "bad_request", 404: "not_found", 405: "method_not_allowed"}.get(fault.status_code, "refused")
        return error(fault.status_code, code, f"{str(fault.detail).rstrip('.')}; see /api/openapi.json.")

    @app.exception_handler(Exception)
    def unexpected(request: Request, fault: Exception) -> JSONResponse:
        log.error("%s %s failed", request.method, request.url.path, exc_info=fault)
        message = "The server failed on this request and has logged why; what was acknowledged before is stored."
        return error(500, "internal", message)
