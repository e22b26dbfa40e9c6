'use strict'
// For `node --test --import …/flow-tape.cjs`: each test has its own scope on the tape of flow.
const { AsyncResource } = require('node:async_hooks')
const { syncBuiltinESMExports } = require('node:module')
const { relative } = require('node:path')
const { promisify } = require('node:util')
const tape = require('../node/tape.cjs')

// The runner loads this as well as each process of a file.
const isRunner = process.execArgv.includes('--test') && !process.env.NODE_TEST_CONTEXT &&
  !process.execArgv.some(option => option.endsWith('test-isolation=none'))

if (process.env.FLOW_TAPE && !isRunner) {
  const runner = require('node:test')
  const { before, beforeEach, afterEach, after } = runner
  tape.start(process.pid)
  const path = file => relative('', file ?? process.argv[1] ?? 'test')
  const name = test => `${path(test.filePath)} > ${test.fullName}`
  const outside = new AsyncResource('flow')

  // The scope of the file has the hooks `before` and `after` outside of groups. Its end is registered
  // when the others are, to come after them.
  before(() => tape.begin(path()))
  after(() => outside.runInAsyncScope(() => after(() => tape.end(path()))))
  beforeEach(test => tape.begin(name(test)))
  afterEach(test => { test.after(() => tape.end(name(test))) })

  // Those of a group have their own, since they are left out with its tests.
  for (const kind of ['before', 'after']) {
    const register = runner[kind]
    runner[kind] = (hook = () => {}, options) => register(async group => {
      const run = hook.length > 1 ? promisify(hook) : hook
      if (group.name === '<root>') return await run(group)
      await tape.begin(`${name(group)}@${kind}`)
      try {
        await run(group)
      } finally {
        await tape.end(`${name(group)}@${kind}`)
      }
    }, options)
  }
  syncBuiltinESMExports()
}
