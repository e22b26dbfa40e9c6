const base = process.env.BASE;
const show = async (answer) => console.log(answer.status, await answer.text());

async function* pieces() {
  yield new TextEncoder().encode("chun");
  yield new TextEncoder().encode("ked");
}

const json = { "content-type": "application/json" };
const plain = { "content-type": "text/plain" };
await show(await fetch(`${base}/get?text=a+b`));
await show(await fetch(`${base}/json`, { method: "POST", headers: json, body: '{"barn": 1}' }));
await show(
  await fetch(`${base}/chunked`, { method: "POST", headers: plain, body: pieces(), duplex: "half" }),
);
console.log((await fetch(`${base}/get?text=a+b`, { method: "HEAD" })).status);
let text = "";
for await (const piece of (await fetch(`${base}/stream`)).body) text += Buffer.from(piece);
console.log([...text.matchAll(/^data: (.*)$/gm)].map((match) => match[1]).join(","));
