import { test } from 'node:test'

test('at once', { concurrency: true }, async t => {
  const wait = () => new Promise(resolve => setImmediate(resolve))
  await Promise.all([t.test('one', wait), t.test('two', wait)])
})
