'use strict'
// For `setupFilesAfterEnv` of Jest: each test has its own scope on the tape of flow.
const { relative } = require('node:path')
const tape = require('../node/tape.cjs')

if (process.env.FLOW_TAPE) {
  tape.start(process.env.JEST_WORKER_ID ?? '1')
  const file = relative('', expect.getState().testPath)
  const test = () => `${file} > ${expect.getState().currentTestName}`
  const state = Object.getOwnPropertySymbols(globalThis)
    .find(symbol => symbol.description === 'JEST_STATE_SYMBOL')
  const root = globalThis[state]?.rootDescribeBlock

  // The scope of the file has the hooks `beforeAll` and `afterAll` outside of groups.
  beforeAll(() => {
    for (const group of root?.children ?? []) scopeHooks(group, `${file} > `)
    return tape.begin(file)
  })
  beforeEach(() => tape.begin(test()))
  afterEach(() => tape.end(test()))
  afterAll(() => tape.end(file))

  // Jest runs the hooks of a file in the order of this list. The two ends stay the last ones.
  if (root) root.hooks.push = hook => root.hooks.splice(-2, 0, hook)
}

/** Gives the hooks of a group their own scopes, since they are left out with its tests. */
function scopeHooks (group, prefix) {
  if (group.type !== 'describeBlock') return
  for (const type of ['beforeAll', 'afterAll']) {
    const hook = group.hooks.find(hook => hook.type === type)
    if (!hook) continue
    const name = `${prefix}${group.name}@${type}`
    group.hooks.unshift({ ...hook, fn: () => tape.begin(name) })
    group.hooks.push({ ...hook, fn: () => tape.end(name) })
  }
  for (const inner of group.children) scopeHooks(inner, `${prefix}${group.name} `)
}
