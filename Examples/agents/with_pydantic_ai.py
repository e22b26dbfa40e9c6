"""An agent with Pydantic AI, which has the loop, and tools over MCP by HTTP."""

import asyncio
import datetime
import sys

from pydantic_ai import Agent
from pydantic_ai.mcp import MCPToolset


async def run(question, tools):
    agent = Agent(
        "openai-chat:gpt-5.5",
        instructions=f"You answer customers of a shop. Today is {datetime.date.today()}.",
        toolsets=[MCPToolset(tools)],
    )
    async with agent.run_stream(question) as answer:
        async for text in answer.stream_text(delta=True):
            print(text, end="", flush=True)


asyncio.run(run(*sys.argv[1:]))
print()
