// For `setupFiles` of Vitest: each test has its own scope on the tape of flow.
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'

if (process.env.FLOW_TAPE) {
  const tape = createRequire(import.meta.url)('../node/tape.cjs')
  tape.start(process.env.VITEST_POOL_ID ?? '1')
  const path = file => relative('', file)
  const name = test => test.suite && test.suite !== test.file
    ? `${name(test.suite)} > ${test.name}`
    : `${path(test.file.filepath)} > ${test.name}`

  // The scope of the file has the hooks `beforeAll` and `afterAll`. Vitest runs the hooks after tests in
  // reverse order, so the ends come last.
  beforeAll(() => tape.begin(path(expect.getState().testPath)))
  afterAll(() => tape.end(path(expect.getState().testPath)))
  beforeEach(({ task }) => tape.begin(name(task)))
  afterEach(({ task }) => tape.end(name(task)))
}
