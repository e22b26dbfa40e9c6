const https = require('node:https')

const base = process.env.SHOP ?? 'https://pay.example'
const ask = async path => expect(await (await fetch(`${base}/${path}`)).text()).toBe('answer')

beforeAll(() => ask('file-opens'))
afterAll(() => ask('file-closes'))
afterEach(() => ask('cart-goes'))

test('lamp', async () => process.env.LAMP ?? ask('lamp'))

describe('shop', () => {
  beforeAll(() => ask('shop-opens'))
  afterAll(() => ask('shop-closes'))
  it.each(['red', 'blue'])('has %s', colour => ask(colour))
  it.skip('never', () => ask('never'))
})

const other = process.env.SHOP ? test.skip : test
other('clients', done => {
  https.get('https://pay.example/https', answer => answer.resume().on('end', done))
})
