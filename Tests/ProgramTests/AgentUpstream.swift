/// An agent without a library, and a server that stands for its model.
///
/// The server follows the rules of chat completions: it looks at the whole conversation, and draws
/// ids. It answers a question about the weather by a call of a tool, and repeats anything else.
extension ShopUpstream {
  static func agent(_ scenario: String = agentScenario) throws -> ShopUpstream {
    try ShopUpstream(server: model, client: agent, scenario: scenario)
  }

  static let agentScenario = """
    flow: 1
    inputs: {base: {type: string}}
    components:
      api: {plugin: http, with: {base: "${{ inputs.base }}"}}
      model: {plugin: upstream, live: true, using: {server: api}}
      programs: {plugin: process, live: true}
    steps:
      - {id: model, uses: model.address}
      - uses: programs.run
        with: {argv: [python3, client.py], env: {MODEL: "${{ steps.model.url }}"}}
        expect: {status: 0}

    """

  private static let agent = """
    import json, os, sys, urllib.request
    urllib.request.install_opener(urllib.request.build_opener(urllib.request.ProxyHandler({})))

    def post(path, value):
        data, headers = json.dumps(value).encode(), {"Content-Type": "application/json"}
        request = urllib.request.Request(os.environ["MODEL"] + path, data, headers)
        return urllib.request.urlopen(request, timeout=60)

    def ask(messages, **more):
        body = {"model": "m-1", "messages": messages, **more}
        answer = post("/v1/chat/completions", body)
        return answer if more.get("stream") else json.load(answer)

    def user(text): return {"role": "user", "content": text}

    def loop(messages, tool=lambda place: "rain in " + place):
        while True:
            choice = ask(messages)["choices"][0]
            messages.append(choice["message"])
            if choice["finish_reason"] == "stop": return choice["message"]["content"]
            for call in choice["message"]["tool_calls"]:
                text = tool(json.loads(call["function"]["arguments"])["place"])
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})

    class Agent: pass
    agent = Agent()
    agent.post, agent.ask, agent.user, agent.loop = post, ask, user, loop
    import program
    program.agent = agent
    program.run(ask)

    """

  private static let model = #"""
    import http.server, json, socket, threading, time, uuid

    seen = threading.Semaphore(0)

    class Server(http.server.ThreadingHTTPServer):
        def get_request(self):
            connection = super().get_request()
            with open("connections", "a") as file: file.write("1")
            return connection

    def call(place):
        function = {"name": "weather", "arguments": json.dumps({"place": place})}
        return {"id": "call_" + uuid.uuid4().hex[:8], "type": "function", "function": function}

    def answer(messages):
        last = messages[-1]
        if last["role"] == "tool":
            results = []
            for message in reversed(messages):
                if message["role"] != "tool": break
                results.insert(0, message["content"])
            return {"role": "assistant", "content": "There is " + " and ".join(results)}, "stop"
        if last["content"].startswith("weather "):
            calls = [call(place) for place in last["content"].split()[1:]]
            return {"role": "assistant", "content": None, "tool_calls": calls}, "tool_calls"
        if last["content"].startswith("polite? "):
            return {"role": "assistant", "content": "yes" if "please" in last["content"] else "no"}, "stop"
        if last["content"] == "a long story":
            return {"role": "assistant", "content": "Once"}, "length"
        return {"role": "assistant", "content": "You say: " + last["content"]}, "stop"

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *_): pass
        def stream(self, text):
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for word in text.split():
                if word == "broken": return self.connection.shutdown(socket.SHUT_RDWR)
                data = ("data: " + json.dumps({"delta": word}) + "\n\n").encode()
                self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
                self.wfile.flush()
                seen.acquire(timeout=20)
            self.wfile.write(b"0\r\n\r\n")
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if self.path == "/seen":
                seen.release()
                value = {}
            elif body.get("stream"):
                self.close_connection = True
                return self.stream(body["messages"][-1]["content"])
            else:
                message, reason = answer(body["messages"])
                used = len(body["messages"])
                value = {
                    "id": "chatcmpl-" + uuid.uuid4().hex[:8], "created": int(time.time()), "model": "m-1",
                    "choices": [{"index": 0, "message": message, "finish_reason": reason}],
                    "usage": {"prompt_tokens": used, "completion_tokens": 1, "total_tokens": used + 1},
                }
            data = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("X-Request-Id", "req_" + uuid.uuid4().hex[:8])
            self.end_headers()
            self.wfile.write(data)

    server = Server(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()

    """#
}
