import os
import sys

import httpx

http2 = "--http2" in sys.argv
client = httpx.Client(base_url=os.environ["BASE"], http1=not http2, http2=http2)
plain = {"Content-Type": "text/plain"}

for answer in (
    client.get("/get", params={"text": "a b"}),
    client.post("/json", json={"barn": 1}),
    client.post("/chunked", content=iter([b"chun", b"ked"]), headers=plain),
):
    print(answer.status_code, answer.text)
print(client.head("/get", params={"text": "a b"}).status_code)
with client.stream("GET", "/stream") as answer:
    lines = list(answer.iter_lines())
print(",".join(line[6:] for line in lines if line.startswith("data: ")))
