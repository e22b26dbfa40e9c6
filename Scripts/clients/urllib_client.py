import os
from urllib.request import Request, urlopen

base = os.environ["BASE"]


def send(path, method="GET", body=None, content_type=None):
    headers = {"Content-Type": content_type} if content_type else {}
    with urlopen(Request(base + path, body, headers, method=method), timeout=10) as answer:
        return answer.status, answer.read().decode()


print(*send("/get?text=a+b"))
print(*send("/json", "POST", b'{"barn": 1}', "application/json"))
print(*send("/chunked", "POST", iter([b"chun", b"ked"]), "text/plain"))
print(send("/get?text=a+b", "HEAD")[0])
with urlopen(base + "/stream") as answer:
    lines = [line.decode().strip() for line in answer]
print(",".join(line[6:] for line in lines if line.startswith("data: ")))
