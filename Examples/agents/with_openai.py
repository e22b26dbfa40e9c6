"""An agent with the SDK of OpenAI: chat completions, streamed, and tools over MCP."""

import asyncio
import datetime
import json
import os
import sys

from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from openai import AsyncOpenAI

PROMPT = "You answer customers of a shop. Today is {}."


async def ask(client, messages, tools):
    """Streams one answer of the model and returns it as a message."""
    async with client.chat.completions.stream(
        model="gpt-5.5", messages=messages, tools=tools
    ) as stream:
        async for event in stream:
            if event.type == "content.delta":
                print(event.delta, end="", flush=True)
        return (await stream.get_final_completion()).choices[0].message


async def run(question, command):
    environment = {"FLOW_STAND_IN": os.environ.get("FLOW_STAND_IN", "")}
    server = StdioServerParameters(command=command[0], args=command[1:], env=environment)
    messages = [
        {"role": "system", "content": PROMPT.format(datetime.date.today())},
        {"role": "user", "content": question},
    ]
    async with Client(stdio_client(server)) as tools, AsyncOpenAI() as client:
        listed = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.input_schema,
                },
            }
            for tool in (await tools.list_tools()).tools
        ]
        while True:
            message = await ask(client, messages, listed)
            messages.append(message.model_dump(include={"role", "content", "tool_calls"}))
            if not message.tool_calls:
                return
            for call in message.tool_calls:
                arguments = json.loads(call.function.arguments)
                result = await tools.call_tool(call.function.name, arguments)
                text = result.content[0].text
                messages.append({"role": "tool", "tool_call_id": call.id, "content": text})


asyncio.run(run(sys.argv[1], sys.argv[2:]))
print()
