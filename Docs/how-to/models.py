"""A stand-in for the APIs of models, without a model: it answers each request as OpenAI, Anthropic or Ollama
do. The answer to a streamed one arrives in events or lines.

usage: python3 models.py PORT

It prints its port, a free one for 0.
"""
import http.server
import itertools
import json
import sys

COUNT = itertools.count(1)


def chat(asked):
    """Chat completions of OpenAI, and of Ollama's API in its form."""
    name = f"chatcmpl-{next(COUNT)}"
    usage = {
        "prompt_tokens": 1012, "completion_tokens": 5, "total_tokens": 1017,
        "prompt_tokens_details": {"cached_tokens": 1000}}
    head = {"id": name, "created": next(COUNT), "model": asked["model"] + "-2024-07-18"}
    if not asked.get("stream"):
        message = {"role": "assistant", "content": "Hello"}
        return dict(
            head, object="chat.completion", usage=usage,
            choices=[{"index": 0, "message": message, "finish_reason": "stop"}])
    chunk = dict(head, object="chat.completion.chunk")
    ends = [("Hel", None), ("lo", None), (None, "length")]
    deltas = [{"index": 0, "delta": {"content": text} if text else {}, "finish_reason": end} for text, end in ends]
    return [dict(chunk, choices=[delta], usage=None) for delta in deltas] + [
        dict(chunk, choices=[], usage=usage), "[DONE]"]


def respond(asked):
    """Responses of OpenAI."""
    usage = {
        "input_tokens": 40, "output_tokens": 8, "total_tokens": 48,
        "input_tokens_details": {"cached_tokens": 0}}
    text = {"type": "output_text", "text": "Hello", "annotations": []}
    whole = {
        "id": f"resp_{next(COUNT)}", "object": "response", "created_at": next(COUNT), "model": asked["model"],
        "status": "completed", "incomplete_details": None, "usage": usage,
        "output": [{"id": f"msg_{next(COUNT)}", "type": "message", "role": "assistant", "content": [text]}]}
    if not asked.get("stream"):
        return whole
    begun = dict(whole, status="in_progress", output=[], usage=None)
    return [
        {"type": "response.created", "response": begun},
        {"type": "response.output_text.delta", "delta": "Hello"},
        {"type": "response.completed", "response": whole}]


def embed(asked):
    """Embeddings of OpenAI."""
    return {
        "object": "list", "model": asked["model"], "usage": {"prompt_tokens": 9, "total_tokens": 9},
        "data": [{"object": "embedding", "index": 0, "embedding": [0.5, -0.25]}]}


def message(asked):
    """Messages of Anthropic."""
    usage = {
        "input_tokens": 20, "cache_read_input_tokens": 1000, "cache_creation_input_tokens": 300,
        "cache_creation": {"ephemeral_5m_input_tokens": 200, "ephemeral_1h_input_tokens": 100},
        "output_tokens": 7}
    whole = {
        "id": f"msg_{next(COUNT)}", "type": "message", "role": "assistant", "model": asked["model"],
        "content": [{"type": "text", "text": "Hello"}], "stop_reason": "end_turn", "stop_sequence": None,
        "usage": usage}
    if not asked.get("stream"):
        return whole
    begun = dict(whole, content=[], stop_reason=None, usage=dict(usage, output_tokens=1))
    return [
        {"type": "message_start", "message": begun},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Hello"}},
        {"type": "content_block_stop", "index": 0},
        {
            "type": "message_delta", "delta": {"stop_reason": "max_tokens", "stop_sequence": None},
            "usage": {"output_tokens": 7}},
        {"type": "message_stop"}]


def local(asked):
    """The chat of Ollama's own API, whose parts are lines."""
    head = {"model": asked["model"], "created_at": f"2026-11-30T12:00:0{next(COUNT) % 10}Z"}
    end = {
        "done": True, "done_reason": "stop", "total_duration": next(COUNT), "prompt_eval_count": 26,
        "eval_count": 4}
    if not asked.get("stream", True):
        return dict(head, message={"role": "assistant", "content": "Hello"}, **end)
    parts = [dict(head, message={"role": "assistant", "content": text}, done=False) for text in ["Hel", "lo"]]
    return parts + [dict(head, message={"role": "assistant", "content": ""}, **end)]


APIS = {
    "/v1/chat/completions": chat, "/v1/responses": respond, "/v1/embeddings": embed, "/v1/messages": message,
    "/api/chat": local}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        answer = APIS[self.path](asked)
        if isinstance(answer, dict):
            return self.send("application/json", json.dumps(answer))
        if self.path == "/api/chat":
            return self.send("application/x-ndjson", "".join(json.dumps(part) + "\n" for part in answer))
        self.send("text/event-stream", "".join(self.event(part) for part in answer))

    @staticmethod
    def event(part):
        if isinstance(part, str):
            return f"data: {part}\n\n"
        name = f"event: {part['type']}\n" if "type" in part else ""
        return f"{name}data: {json.dumps(part)}\n\n"

    def send(self, kind, text):
        body = text.encode()
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.send_header("x-request-id", f"req_{next(COUNT)}")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


if __name__ == "__main__":
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
