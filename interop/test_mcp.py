"""The Model Context Protocol's own client for Python calls every tool of `rtoscope mcp`."""

import asyncio
import os

import pytest
from conftest import OWN, RTOSCOPE, SQL, run
from mcp import Client, MCPError, StdioServerParameters

FOLDER = OWN / "threadx"
FILES = ("cm3_short.trx", "cm3_system.trx")
RULES = '[[rule]]\ntable = "inversions"\nmax-rows = 0\n'

# The arguments of each tool, and a part of its answer.
CALLS = {
    "recordings": ({}, "2  cm3_system.trx"),
    "info": ({"recording": 2}, "cm3_system.trx"),
    "findings": ({"recording": 2}, "[event "),
    "report": ({"recording": 2, "reports": ["locks", "profile"]}, "alarm"),
    "events": ({"recording": 2, "around": "event:1357", "limit": 10}, "1357"),
    "critical_path": ({"recording": 2, "event": 2313}, "Time by cause"),
    "compare": ({"before": 1, "after": 2}, "1 recording compared with 1 recording"),
    "check": ({"recording": 2, "rules": RULES}, "1 failed"),
    "sql_tables": ({"name": "inversions"}, "duration_ns"),
}


def _client():
    arguments = ["mcp", *FILES, "--clock=25MHz"]
    server = StdioServerParameters(
        command=str(RTOSCOPE), args=arguments, cwd=FOLDER, env=dict(os.environ)
    )
    return Client(server)


def _session(steps):
    async def run_steps():
        async with _client() as client:
            return await steps(client)

    return asyncio.run(run_steps())


async def _text(client, tool, arguments):
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result
    (content,) = result.content
    return content.text


def test_every_tool():
    async def steps(client):
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert set(tools) == {*CALLS, "sql"}
        return {tool: await _text(client, tool, given) for tool, (given, _) in CALLS.items()}

    answers = _session(steps)
    for tool, (_, expected) in CALLS.items():
        assert expected in answers[tool], tool


def test_errors():
    async def steps(client):
        for tool, given in (("report", {"reports": 1}), ("info", {"recording": 3})):
            refused = await client.call_tool(tool, given)
            assert refused.is_error, tool
        with pytest.raises(MCPError):
            await client.call_tool("delete", {})
        # The connection goes on.
        assert FILES[0] in await _text(client, "recordings", {})

    _session(steps)


@pytest.mark.skipif(not SQL.exists(), reason="rtoscope-sql is not built")
def test_sql():
    trace = FOLDER / FILES[1]
    statement = "SELECT count(*) AS n FROM events"
    rows = run("query", trace, "--format", "csv", statement).decode().split()

    async def steps(client):
        given = {"recording": 2, "sql": statement}
        count = (await _text(client, "sql", given)).split()
        assert count[:2] == rows
        many = {"recording": 2, "sql": "SELECT value FROM generate_series(1, 100000)"}
        text = await _text(client, "sql", many)
        assert len(text) < 34_000
        assert "first_line" in text
        for hostile in (
            "SELECT * FROM read_csv('/etc/passwd')",
            "SELECT * FROM '/etc/passwd'",
            "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'",
            "COPY events TO '/tmp/events.csv'",
            "SET datafusion.execution.batch_size = 1",
            "SELECT 1; SELECT 2",
            "SELECT",
        ):
            refused = await client.call_tool("sql", {"recording": 2, "sql": hostile})
            assert refused.is_error, hostile

    _session(steps)
