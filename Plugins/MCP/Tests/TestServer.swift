/// A server in Python for the tests, in either era.
///
/// It writes everything on the wire to `wire.jsonl` beside it, and its process number to `pids`.
struct TestServer: Sendable {
  /// The revision that it speaks.
  var revision = "2026-07-28"
  /// The tools in Python, or rather in JSON with True and False.
  var tools = #"[{"name": "act", "description": "Acts.", "inputSchema": {"type": "object"}}]"#
  /// The body of `call(name, a, id)`, which returns the result.
  var call = #"return text("done")"#
  /// Python that runs before the first line is read.
  var start = ""
  /// The end of the program, which serves requests.
  var loop = lines

  var python: String {
    """
    import json, os, signal, subprocess, sys, time
    here = os.path.dirname(os.path.abspath(__file__))
    REVISION = "\(revision)"
    MODERN = REVISION == "2026-07-28"
    TOOLS = \(tools)
    wire = open(os.path.join(here, "wire.jsonl"), "a")
    def note(pid): open(os.path.join(here, "pids"), "a").write(f"{pid}\\n")
    note(os.getpid())
    def raw(line):
        sys.stdout.write(line); sys.stdout.flush()
    def send(message):
        line = json.dumps(dict(jsonrpc="2.0", **message)) + "\\n"
        wire.write("S" + line); wire.flush(); raw(line)
    def text(text, **more): return {"content": [{"type": "text", "text": text}], **more}
    def error(code, message): return {"error": {"code": code, "message": message}}
    def call(name, a, id, params):
    \(call.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
    INFO = {"name": "test", "version": "1.0"}
    CAPABILITIES = {"tools": {"listChanged": True}, "resources": {}, "logging": {}, "prompts": {}}
    PROMPTS = [{"name": "greet", "description": "Greets.", "arguments": [{"name": "who"}]}]
    def answer(method, params, id):
        cached = {"ttlMs": 0, "cacheScope": "private"} if MODERN else {}
        if method == "server/discover" and MODERN:
            return {"supportedVersions": [REVISION], "capabilities": CAPABILITIES, **cached,
                "_meta": {"io.modelcontextprotocol/serverInfo": INFO}}
        if method == "initialize" and not MODERN:
            return {"protocolVersion": REVISION, "capabilities": CAPABILITIES, "serverInfo": INFO}
        if method == "tools/list": return {"tools": TOOLS, **cached}
        if method == "prompts/list": return {"prompts": PROMPTS, **cached}
        if method == "subscriptions/listen":
            kept = {"io.modelcontextprotocol/subscriptionId": id}
            send({"method": "notifications/subscriptions/acknowledged",
                "params": {"_meta": kept, "notifications": params["notifications"]}})
            return None
        if method == "resources/subscribe": return {}
        if method == "prompts/get":
            return {"messages": [{"role": "user", "content": {"type": "text",
                "text": "Hello " + params["arguments"]["who"]}}]}
        if method == "resources/read":
            return {"contents": [{"uri": params["uri"], "text": "content"}], **cached}
        if method == "tools/call":
            return call(params["name"], params.get("arguments"), id, params)
        return error(-32601, "Method not found")
    \(start)
    \(loop)
    """
  }

  /// The end of the program, which reads lines.
  static let lines = """
    for line in sys.stdin:
        wire.write("C" + line); wire.flush()
        message = json.loads(line)
        if "method" not in message or "id" not in message: continue
        result = answer(message["method"], message.get("params", {}), message["id"])
        if result is None: continue
        if "error" in result: send({"id": message["id"], "error": result["error"]})
        else:
            if MODERN: result.setdefault("resultType", "complete")
            send({"id": message["id"], "result": result})
    """
}
