#!/usr/bin/env python3
"""Checks that every code that a user can meet is explained on a page, and that no page explains one that is gone.

    check_codes.py ROOT

A code is a string in capitals with an underscore ("JSON_EMPTY") in the sources below src/; a page explains it by naming it in the first
column of a table, between backticks. Prints one line for each code that is on one side only.
"""
import pathlib
import re
import sys

CODE = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"')
EXPLAINED = re.compile(r"^\| `([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)` \|", re.MULTILINE)
NOT_SHIPPED = re.compile(r"_(test|bench|fuzz)\.cpp$|_test_[a-z_]+\.(h|cpp)$")

# Words of the same form that are no codes of ours: AWS's codes and statuses, gRPC's statuses, and the environment of commands.
OTHER_WORDS = {
    "DUPLICATE_STATE_NAME", "INVALID_JSON_DESCRIPTION", "INVALID_LABEL_NAME", "INVALID_STATE_NAME", "MISSING_END_STATE",
    "MISSING_TRANSITION_TARGET", "NO_DOLLAR", "PASS_RESULT_IS_STATIC", "SCHEMA_VALIDATION_FAILED",
    "NOT_STARTED", "TIMED_OUT", "CAUGHT_ERROR", "NOT_REDRIVABLE", "METADATA_ONLY", "AWS_OWNED_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION",
    "NULL_VALUE", "TRUE_VALUE", "FALSE_VALUE", "NUMBER_VALUE", "DECIMAL_VALUE", "STRING_VALUE", "START_ARRAY", "START_OBJECT", "URL_ENCODED",
    "CHAINED_INVOKE", "AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "AWS_LAMBDA_FUNCTION_NAME", "AWS_LAMBDA_FUNCTION_VERSION", "AWS_LAMBDA_LOG_GROUP_NAME",
    "AWS_LAMBDA_LOG_STREAM_NAME", "PAWL_IDEMPOTENCY_KEY", "PAWL_TOKEN", "PAWL_RESOURCE", "PAWL_STATE", "NO_COLOR",
    "ALREADY_EXISTS", "DATA_LOSS", "FAILED_PRECONDITION", "INVALID_ARGUMENT", "NOT_FOUND", "OUT_OF_RANGE", "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED", "SSL_CERT_FILE",
}


def codes_in_sources(root):
    """Each code with the first file that has it."""
    found = {}
    for path in sorted((root / "src").rglob("*")):
        if path.suffix not in (".h", ".cpp") or NOT_SHIPPED.search(path.name):
            continue
        for code in CODE.findall(path.read_text()):
            if code not in OTHER_WORDS:
                found.setdefault(code, path.relative_to(root))
    return found


def codes_in_pages(root):
    found = {}
    for path in sorted((root / "docs").glob("*.md")):
        for code in EXPLAINED.findall(path.read_text()):
            found.setdefault(code, path.relative_to(root))
    return found


def check(root):
    """One line for each code that is on one side only."""
    sources, pages = codes_in_sources(root), codes_in_pages(root)
    if not sources:
        return ["src/: has no codes at all"]
    complaints = [f"{sources[code]}: {code} is explained on no page of docs/" for code in sorted(sources.keys() - pages.keys())]
    return complaints + [f"{pages[code]}: {code} is in no source" for code in sorted(pages.keys() - sources.keys())]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    complaints = check(pathlib.Path(sys.argv[1]).resolve())
    print("\n".join(complaints) if complaints else "every code is explained")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
