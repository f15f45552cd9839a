"""Every problem code: what it is about, how much it matters, and one sentence that explains it.

Codes are stable: stored reports and exports name them. The reference (its §3) lists most of them; those under "ours"
fill what it leaves open.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

from easel_app.plans.records import Problem, Severity, Span

Area = Literal["format", "schema", "plan"]
MOST_QUOTED = 60
"""Characters of a plan's own text that an explanation quotes at most."""


class Kind(NamedTuple):
    """What all problems of one code have in common."""

    area: Area
    """`format`: how the call is written; `schema`: what it says; `plan`: where it stands, and what else there is."""
    severity: Severity
    sentence: str
    """What explains it, with details in braces."""


def _format(severity: Severity, sentence: str) -> Kind:
    return Kind("format", severity, sentence)


def _schema(severity: Severity, sentence: str) -> Kind:
    return Kind("schema", severity, sentence)


def _plan(severity: Severity, sentence: str) -> Kind:
    return Kind("plan", severity, sentence)


KINDS: Final[Mapping[str, Kind]] = {
    # tags
    "unclosed_tag": _format("error", "The tag is never closed, so the call was taken to end here."),
    "nested_tag": _format("error", "The tag is opened again before anything stands in it, so this one counts as text."),
    "stray_close_tag": _format("error", "A tag is closed here that was not opened."),
    "fenced_tag": _format(
        "warning", "The call stands in a code fence or in inline code, where a reader sees its text."
    ),
    # decoding without a guess
    "fenced_json": _format("warning", "The object stands in a code fence inside the tag."),
    "control_char": _format("warning", "A string holds a raw line break or another control character."),
    "trailing_garbage": _format("warning", "Something follows the object inside the tag, and was left out."),
    "duplicate_object": _format("warning", "A second object follows the first inside the tag, and was left out."),
    "html_entities": _format("warning", "The object is written with HTML entities such as &quot;."),
    "non_finite_number": _format("warning", "A number is NaN, infinite, or too large to be held."),
    "duplicate_key": _format("warning", "The key {key} stands twice in one object, and its last value counts."),
    # decoding with a guess
    "repaired": _format("warning", "The body is no valid JSON, and the value is what it most likely means."),
    "single_quotes": _format("warning", "Strings stand in single quotes, as in Python, where JSON has double ones."),
    "trailing_comma": _format("warning", "A comma stands where nothing follows it."),
    "unescaped_quote": _format("warning", "A string holds a quotation mark without a backslash before it."),
    "smart_quotes": _format("warning", "Strings stand in typographic quotation marks."),
    "truncated": _format("error", "The object breaks off, and ends with what there is of it."),
    # no object
    "empty_tag": _format("error", "There is nothing between the tags."),
    "not_an_object": _format("error", "The body is a list or a single value where an object belongs."),
    "too_deep": _format("error", "Objects and lists stand within each other at more than 64 levels."),
    "unparseable": _format("error", "The body cannot be read as an object."),
    # ours: tags
    "mismatched_tag": _format("warning", "The tag is closed under another name than it was opened with."),
    "unclosed_think": _format("warning", "<think> is never closed, so all up to the first call is thinking."),
    "stray_think_close": _format("hint", "</think> stands here without <think> before it."),
    "too_many_calls": _format("error", "The plan has more than {most} calls, and from here on tags count as text."),
    "and_more": _format("hint", "There are {more} more of the problem {code} in this plan, which are not listed."),
    # ours: decoding with a guess
    "ambiguous_repair": _format("error", "The body can be read in more than one way, so do not trust its values."),
    "python_literal": _format("warning", "True, False or None stand there as in Python, where JSON has lower case."),
    "comment": _format("warning", "A comment stands in the object, which JSON does not have."),
    "bare_key": _format("warning", "A key stands without quotation marks."),
    "unquoted_value": _format("warning", "A text stands without quotation marks."),
    "missing_comma": _format("warning", "A comma is missing between two entries."),
    "missing_brace": _format("warning", "A bracket that opens or closes the object, or a part of it, is missing."),
    "extra_brace": _format("warning", "A bracket is closed that was not opened."),
    "bad_escape": _format("warning", "A backslash stands before a character that JSON does not escape."),
    "odd_space": _format("warning", "A space or an invisible character that JSON does not know stands in the object."),
    "leading_garbage": _format("warning", "Something stands before the object inside the tag, and was left out."),
    # names and parameters
    "alias_used": _schema("hint", "The call says {renamed}."),
    "doubled_name": _schema("warning", "The tool's name is written twice: {name}."),
    "unknown_tool": _schema("error", "There is no tool {name}{hint}."),
    "missing_tool_name": _schema("error", "The call names no tool."),
    "params_not_object": _schema("error", "The parameters are {what}, not an object."),
    "params_json_string": _schema("warning", "The parameters are a text that holds an object, not an object."),
    "unexpected_param": _schema("warning", "The tool {tool} has no parameter {name}."),
    "missing_param": _schema("error", "The tool {tool} needs the parameter {name}."),
    "empty_param": _schema("error", "The parameter {name} is empty."),
    "wrong_param_type": _schema("error", "The parameter {name} is {what}, not {wanted}."),
    "img_index_not_integer": _schema("error", "The image index {value} is no whole number."),
    "img_index_negative": _schema("error", "The image index {value} is below 0."),
    "img_index_out_of_range": _schema("error", "The image index {value} is outside {range}."),
    "missing_description": _schema("warning", "The call has no description."),
    "suspicious_escape": _schema(
        "warning", "The {name} holds {what}, which is likely a backslash that should have been doubled."
    ),
    # the plan as a document
    "no_calls": _plan("warning", "The plan calls no tool."),
    "no_output": _plan("error", "The plan is empty, as after a time-out or a refusal; that is no bad plan but none."),
    "only_calls": _plan("warning", "The plan has calls and no text."),
    "stacked_calls": _plan("warning", "The call follows the one before it with no text between them."),
    "all_calls_at_end": _plan("warning", "All calls stand at the end, behind the paragraphs that they belong to."),
    "before_its_paragraph": _plan("warning", "The plan begins with a call, before the text that it belongs to."),
    "mid_sentence": _plan("warning", "The call stands inside a sentence, not after its paragraph."),
    "inside_list_or_table": _plan("warning", "The call stands inside a list or a table."),
    "lead_in_phrase": _plan("warning", "The text announces the picture before the call, such as by 'Here is'."),
    "duplicate_call": _plan("warning", "The call asks for the same as call {first}."),
    "duplicate_img_index": _plan("warning", "The image {value} is cited again; call {first} cites it already."),
    "edit_forward_dependency": _plan("error", "The call edits the output of call {other}, which is not there yet."),
    "reference_available_but_search": _plan(
        "hint", "The plan searches for pictures and cites none of the {pool} that it was given."
    ),
}


def problem(code: str, span: Span, call_id: int | None = None, /, **details: Any) -> Problem:
    """A problem of a code of `KINDS`, explained with the details that its sentence asks for."""
    kind = KINDS[code]
    explanation = kind.sentence.format(**details) if details else kind.sentence
    return Problem(code, kind.severity, span, call_id, explanation)


def quoted(value: object) -> str:
    """A value of a plan as an explanation can quote it: short, on one line, and nothing in it that does not print."""
    text = value[: MOST_QUOTED + 1] if isinstance(value, str) else str(value)
    short = text if len(text) <= MOST_QUOTED else f"{text[: MOST_QUOTED - 1]}…"
    shown = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in short)
    return f'"{shown}"' if isinstance(value, str) else shown


def kind_of(value: object) -> str:
    """What a JSON value is, in words."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list():
            return "a list"
        case _:
            return "an object"
