"""An agent with the SDK of Anthropic: messages, streamed, and tools over MCP."""

import asyncio
import datetime
import os
import sys

from anthropic import AsyncAnthropic
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

PROMPT = "You answer customers of a shop. Today is {}."


async def ask(client, messages, tools):
    """Streams one answer of the model and returns it."""
    async with client.messages.stream(
        model="claude-sonnet-5",
        max_tokens=1000,
        system=PROMPT.format(datetime.date.today()),
        messages=messages,
        tools=tools,
    ) as stream:
        async for text in stream.text_stream:
            print(text, end="", flush=True)
        return await stream.get_final_message()


async def run(question, command):
    environment = {"FLOW_STAND_IN": os.environ.get("FLOW_STAND_IN", "")}
    server = StdioServerParameters(command=command[0], args=command[1:], env=environment)
    messages = [{"role": "user", "content": question}]
    async with Client(stdio_client(server)) as tools, AsyncAnthropic() as client:
        listed = [
            {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema}
            for tool in (await tools.list_tools()).tools
        ]
        while True:
            answer = await ask(client, messages, listed)
            messages.append({"role": "assistant", "content": answer.content})
            if answer.stop_reason != "tool_use":
                return
            results = []
            for call in answer.content:
                if call.type == "tool_use":
                    result = await tools.call_tool(call.name, call.input)
                    text = result.content[0].text
                    results.append(
                        {"type": "tool_result", "tool_use_id": call.id, "content": text}
                    )
            messages.append({"role": "user", "content": results})


asyncio.run(run(sys.argv[1], sys.argv[2:]))
print()
