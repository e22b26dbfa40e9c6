import assert from 'node:assert'
import { get } from 'node:http'
import https from 'node:https'
import { after, afterEach, before, describe, it, test } from 'node:test'

const base = process.env.SHOP ?? 'https://pay.example'
const ask = async path => assert.equal(await (await fetch(`${base}/${path}`)).text(), 'answer')
const asked = (get, ...given) => new Promise((resolve, reject) => get(...given, async answer => {
  resolve((await answer.toArray()).join(''))
}).on('error', reject))

before(() => ask('file-opens'))
after(() => ask('file-closes'))
afterEach(() => ask('cart-goes'))

test('lamp', t => {
  t.after(() => ask('lamp-goes'))
  return process.env.LAMP ?? ask('lamp')
})

test('clients', { skip: Boolean(process.env.SHOP) }, async () => {
  assert.equal(await asked(https.get, 'https://pay.example/https'), 'answer')
  assert.equal(await asked(get, { host: 'pay.example', path: '/http?a=1' }), 'answer')
  assert.equal(await asked(get, new URL('http://127.0.0.1:3000/loopback'), { headers: { a: 'b' } }), 'answer')
  await fetch(new Request('http://localhost:3000/post', { method: 'POST', body: 'a' }))
})

describe('shop', () => {
  before(() => ask('shop-opens'))
  after(() => ask('shop-closes'))
  it('sofa', async t => { await t.test('large', () => ask('large')) })
  it.skip('never', () => ask('never'))
})
