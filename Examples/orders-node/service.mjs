// A service that takes orders. It needs nothing but Node.
import { randomUUID } from "node:crypto";
import http from "node:http";

const { STOCK_URL: stock, PAYMENTS_URL: payments } = process.env;
const orders = new Map();

async function call(url, options = {}) {
  const answer = await fetch(url, { signal: AbortSignal.timeout(5000), ...options });
  return { status: answer.status, body: await answer.json() };
}

async function item(number) {
  const { status, body } = await call(`${stock}/items/${number}?currency=EUR`);
  if (status !== 200) throw new Error(`item ${number}: ${status}`);
  return body;
}

// Pays with one key for all attempts, so that the customer pays once.
async function pay(cents) {
  const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
  for (let attempt = 1; ; attempt++) {
    const body = JSON.stringify({ amount: cents, created: new Date().toISOString() });
    const answer = await call(`${payments}/payments`, { method: "POST", headers, body });
    if (answer.status === 201) return answer.body;
    if (answer.status !== 503 || attempt === 3) throw new Error(`payment: ${answer.status}`);
  }
}

async function order(wanted) {
  const items = await Promise.all(wanted.map(item));
  const cents = items.reduce((sum, item) => sum + item.cents, 0);
  const payment = await pay(cents);
  if (payment.status !== "paid") return [402, { status: payment.status }];
  orders.set(orders.size + 1, payment.id);
  return [201, { order: orders.size, cents, payment: payment.id }];
}

const server = http.createServer(async (request, response) => {
  let [status, body] = [200, {}];
  try {
    if (request.method === "POST") {
      const text = (await request.setEncoding("utf8").toArray()).join("");
      [status, body] = await order(JSON.parse(text).items);
    }
  } catch {
    [status, body] = [503, { error: "try again later" }];
  }
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
});
server.listen(0, "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
