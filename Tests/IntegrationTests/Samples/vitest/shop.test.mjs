import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'

const ask = path => fetch(`${process.env.SHOP ?? 'https://pay.example'}/${path}`)

beforeAll(() => ask('file-opens'))
afterAll(() => ask('file-closes'))
afterEach(() => ask('cart-goes'))

test('lamp', async () => process.env.LAMP ?? ask('lamp'))

describe('shop', () => {
  afterEach(() => ask('shop-goes'))
  test('sofa', () => ask('sofa'))
})
