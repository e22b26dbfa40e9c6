"""A counter as an MCP server, without any library: revision 2025-11-25 on standard input and output."""
import json
import sys

TOOLS = [
    {
        "name": "add",
        "description": "Adds to the count.",
        "inputSchema": {
            "type": "object",
            "properties": {"amount": {"type": "integer", "description": "The number to add."}},
            "required": ["amount"],
        },
        "outputSchema": {
            "type": "object",
            "properties": {"count": {"type": "integer"}},
            "required": ["count"],
        },
        "_meta": {"flow/errors": {"negative": "The count would fall below zero."}},
    }
]
count = 0


def add(amount):
    global count
    if count + amount < 0:
        content = [{"type": "text", "text": f"{amount} is more than the count of {count}"}]
        return {"content": content, "isError": True, "_meta": {"flow/error": "negative"}}
    count += amount
    return {"content": [{"type": "text", "text": str(count)}], "structuredContent": {"count": count}}


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "counter", "version": "1.0"},
        }
    if method == "tools/list":
        return {"tools": TOOLS}
    if method == "tools/call":
        return add(**params["arguments"])
    return None


for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    result = answer(request["method"], request.get("params", {}))
    reply = {"jsonrpc": "2.0", "id": request["id"]}
    if result is None:
        reply["error"] = {"code": -32601, "message": "Method not found"}
    else:
        reply["result"] = result
    print(json.dumps(reply), flush=True)
