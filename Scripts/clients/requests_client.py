import os

import requests

base, session = os.environ["BASE"], requests.Session()
plain = {"Content-Type": "text/plain"}

for answer in (
    session.get(base + "/get", params={"text": "a b"}),
    session.post(base + "/json", json={"barn": 1}),
    session.post(base + "/chunked", data=iter([b"chun", b"ked"]), headers=plain),
):
    print(answer.status_code, answer.text)
print(session.head(base + "/get", params={"text": "a b"}).status_code)
with session.get(base + "/stream", stream=True) as answer:
    lines = [line.decode() for line in answer.iter_lines()]
print(",".join(line[6:] for line in lines if line.startswith("data: ")))
