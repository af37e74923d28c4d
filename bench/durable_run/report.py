"""Rounds to one row a claim, and the rows as a table."""
import statistics


class Row:
    """One claim: what was measured, what was to be reached, what the peer did."""

    def __init__(self, what, pawl, reached, target, peer="", ratio=None):
        self.what, self.pawl, self.reached, self.target, self.peer, self.ratio = what, pawl, reached, target, peer, ratio

    def to_json(self):
        return {"what": self.what, "pawl": self.pawl, "reached": self.reached, "target": self.target, "peer": self.peer,
                "ratio": self.ratio}


def median(rounds, field):
    return statistics.median(measured[field] for measured in rounds)


def rate_row(what, ours, theirs, target, peer_what, p99_max=None):
    rate = median(ours, "rate")
    text, wanted, reached = f"{rate:,.0f}/s", f"{target:,}/s", rate >= target
    if p99_max is not None:
        text += f", p50 {median(ours, 'p50_ms'):.1f} ms, p99 {median(ours, 'p99_ms'):.1f} ms"
        wanted += f", p99 below {p99_max} ms"
        reached = reached and median(ours, "p99_ms") < p99_max
    if "cpu_us" in ours[0]:
        text += f" ({median(ours, 'cpu_us'):.0f} µs CPU each)"
    if not theirs:
        return Row(what, text, reached, wanted)
    other = median(theirs, "rate")
    return Row(what, text, reached, wanted, f"{other:,.0f}/s {peer_what}", rate / other)


def starts_rows(ours, theirs):
    return [rate_row("durable starts of 10 Pass states, 64 connections", ours, theirs, 15_000, "(one-way calls)", 20)]


def alone_rows(ours, theirs):
    p50, sync = median(ours, "p50_ms"), median(ours, "sync_ms")
    target = 1.3 * sync + 1
    peer = f"{median(theirs, 'p50_ms'):.2f} ms" if theirs else ""
    ratio = median(theirs, "p50_ms") / p50 if theirs else None
    return [Row("one durable start at a time, p50", f"{p50:.2f} ms (fdatasync {sync:.2f} ms)", p50 <= target,
                f"{target:.2f} ms", peer, ratio)]


def tasks_rows(ours, theirs):
    return [rate_row("tasks completed, 10 in a row, HTTP worker", ours, theirs, 8_000, "steps, 128 at once")]


def express_rows(ours, theirs):
    return [rate_row("StartSyncExecution of 10 Pass states, 64 connections", ours, theirs, 20_000, "(durable calls)")]


def idle_rows(ours, theirs):
    rows = []
    for what, field, target, unit in (("memory of an idle server", "rss_mb", 30, "MB"),
                                      ("start of the process to its first answer", "start_ms", 100, "ms")):
        value = median(ours, field)
        peer = f"{median(theirs, field):,.0f} {unit}" if theirs else ""
        ratio = median(theirs, field) / value if theirs else None
        rows.append(Row(what, f"{value:,.0f} {unit}", value <= target, f"{target} {unit}", peer, ratio))
    return rows


def closed_rows(ours, _):
    measured = ours[0]
    text = f"{measured['after']:,.0f}/s after {measured['before']:,.0f}/s ({measured['change']:+.0%}; CPU {measured['cpu_change']:+.0%})"
    return [Row(f"starts with {measured['count']:,} closed executions stored", text, measured["change"] >= -0.15, "within 15 %")]


def sleepers_rows(ours, theirs):
    measured = ours[0]
    count = f"{measured['count']:,}"
    peak = max(measured[field] for field in ("rss_mb", "rss_restarted_mb", "peak_rss_mb"))
    peer = f"{theirs[0]['rss_mb']:,.0f} MB with {theirs[0]['count']:,}" if theirs else ""
    peer_restart = f"{theirs[0]['restart_s']:.2f} s with {theirs[0]['count']:,}" if theirs else ""
    ratio = theirs[0]["restart_s"] / measured["restart_s"] if theirs else None
    return [
        Row(f"memory with {count} asleep / the most ever", f"{measured['rss_mb']:,.0f} MB / {peak:,.0f} MB",
            peak < 120, "120 MB", peer),
        Row(f"SIGKILL with {count} asleep: restart to the first answer", f"{measured['restart_s']:.2f} s",
            measured["restart_s"] < 0.5, "0.5 s", peer_restart, ratio),
        Row(f"{count} due in one second end", f"{measured['drained']:,.0f}/s, {measured['early']} early",
            measured["drained"] >= 20_000 and measured["early"] == 0, "20,000/s, none early"),
    ]


def events_rows(ours, _):
    measured = ours[0]
    once = "each once" if measured["exactly_once"] else "not each once"
    after = f"{measured['after']:,.0f}/s after {measured['before']:,.0f}/s ({measured['change']:+.0%}; CPU {measured['cpu_change']:+.0%})"
    return [
        Row(f"events to {measured['waiting']:,} executions that wait, each with its own value",
            f"{measured['rate']:,.0f}/s, {once} ({measured['cpu_us']:.0f} µs CPU each)",
            measured["rate"] >= 5_000 and measured["exactly_once"], "5,000/s, each once"),
        Row(f"events with {measured['many']:,} waiting, after {measured['few']:,}", after, measured["change"] >= -0.25, "within 25 %"),
    ]


def functions_rows(ours, theirs):
    return [rate_row("steps of a durable function of ten, C++ worker, 128 at once", ours, theirs, 11_000, "steps, 128 at once")]


def functions_alone_rows(ours, theirs):
    p50, sync = median(ours, "p50_ms"), median(ours, "sync_ms")
    target = 10 * sync + 3
    peer = f"{median(theirs, 'p50_ms'):.2f} ms" if theirs else ""
    ratio = median(theirs, "p50_ms") / p50 if theirs else None
    return [Row("a durable function of ten steps, one call at a time, p50", f"{p50:.2f} ms (fdatasync {sync:.2f} ms)",
                p50 <= target, f"{target:.2f} ms", peer, ratio)]


def suspended_rows(ours, _):
    measured = ours[0]
    more = measured["rss_mb"] - measured["before_mb"]
    return [Row(f"memory with {measured['count']:,} durable functions suspended", f"{measured['rss_mb']:,.0f} MB, {more:,.0f} MB more than with none",
                more <= 50, "50 MB more")]


def function_start_rows(ours, _):
    more_ms = median(ours, "start_ms") - median(ours, "plain_ms")
    more_mb = median(ours, "mb") - median(ours, "plain_mb")
    return [Row("what the SDK adds to a function's start", f"{more_ms:.2f} ms, {more_mb:.1f} MB", more_ms <= 1 and more_mb <= 10, "1 ms, 10 MB")]


ROWS = {"starts": starts_rows, "alone": alone_rows, "tasks": tasks_rows, "express": express_rows, "idle": idle_rows,
        "closed": closed_rows, "sleepers": sleepers_rows, "events": events_rows,
        "functions": functions_rows, "functions-alone": functions_alone_rows, "suspended": suspended_rows,
        "function-start": function_start_rows}


def table(rows):
    lines = ["| what | Pawl | to reach | | Restate | ratio |", "|---|---|---|---|---|---|"]
    for row in rows:
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}×"
        lines.append(f"| {row.what} | {row.pawl} | {row.target} | {'yes' if row.reached else 'no'} | {row.peer} | {ratio} |")
    return "\n".join(lines)
