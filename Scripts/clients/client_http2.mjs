import http2 from "node:http2";

const connection = http2.connect(process.env.BASE);

const ask = (head, ...pieces) =>
  new Promise((done, fail) => {
    const request = connection.request(head, { endStream: pieces.length === 0 });
    let status, text = "";
    request.setEncoding("utf8");
    request.on("response", (head) => (status = head[":status"]));
    request.on("data", (piece) => (text += piece));
    request.on("end", () => done([status, text]));
    request.on("error", fail);
    for (const piece of pieces) request.write(piece);
    if (pieces.length) request.end();
  });

const post = { ":method": "POST", "content-type": "text/plain" };
const json = { ":method": "POST", "content-type": "application/json" };
console.log(...(await ask({ ":path": "/get?text=a+b" })));
console.log(...(await ask({ ":path": "/json", ...json }, '{"barn": 1}')));
console.log(...(await ask({ ":path": "/chunked", ...post }, "chun", "ked")));
console.log((await ask({ ":method": "HEAD", ":path": "/get?text=a+b" }))[0]);
const [, text] = await ask({ ":path": "/stream" });
console.log([...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1]).join(","));
connection.close();
