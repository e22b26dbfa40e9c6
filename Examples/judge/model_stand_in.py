"""A stand-in for a model, so that the example needs no network: python3 model_stand_in.py [PORT]

It answers like the chat API of a model, by rules in place of a model: it replies to customers, and
as a judge it looks for a promise of a refund.
"""

import http.server
import json
import sys

REPLY = "We are sorry that your lamp arrived broken. We refund 25.00 today."


def answer(messages):
    """The content of the model's message, for the messages of a request."""
    task, text = messages[0]["content"], messages[-1]["content"]
    if "customer service" in task:
        return REPLY
    if "refund" in text:
        return json.dumps({"verdict": "pass", "reason": "It promises a refund."})
    return json.dumps({"verdict": "fail", "reason": "It promises no refund."})


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": answer(request["messages"])}
        body = json.dumps({"choices": [{"message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int((sys.argv + ["0"])[1])), Handler)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
