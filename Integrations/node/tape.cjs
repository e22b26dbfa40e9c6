'use strict'
// Shared by the helpers for node:test, Jest and Vitest: tells flow which test runs.
const http = require('node:http')
const { runInThisContext } = require('node:vm')
const { handOver } = require('./hand-over.cjs')

// A runner gives each file of tests other globals, and loads this module again. These stay.
const outer = runInThisContext('globalThis')
const key = Symbol.for('flow.tape')
const isFirst = !outer[key]
const { open, request } = (outer[key] ??= { open: [], request: http.request })
let proxy, authorization

/** Makes the requests of this process those of a worker, and hands them over. */
exports.start = worker => {
  for (const name of ['FLOW_TAPE', 'HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy']) {
    for (const variables of [outer.process.env, process.env]) {
      variables[name] = variables[name]?.replace(/^(http:\/\/)[^:]*/, `$1flow-${worker}`)
    }
  }
  proxy = new URL(process.env.FLOW_TAPE)
  authorization = `Basic ${Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')}`
  if (isFirst) handOver(outer, proxy, authorization)
}

/** Begins a test, of which another one can be a part: `FILE > GROUP > TEST`. */
exports.begin = async test => {
  const last = open.at(-1)
  if (last && !test.startsWith(`${last} > `)) {
    throw failure(`flow: '${last}' has not ended, and tests at the same time cannot be told apart`)
  }
  open.push(test)
  await say('begin', test).catch(error => {
    open.splice(open.lastIndexOf(test), 1)
    throw error
  })
}

/** Ends a test if it has begun, and throws the difference. */
exports.end = async test => {
  if (open.includes(test)) await say('end', open.splice(open.lastIndexOf(test), 1)[0])
}

const say = (verb, test) => new Promise((resolve, reject) => {
  const options = {
    method: 'POST', hostname: proxy.hostname, port: proxy.port, path: `/${verb}`, agent: false, timeout: 60e3,
    headers: { 'Proxy-Authorization': authorization, 'Content-Type': 'application/json' }
  }
  const asked = request(options, async answer => {
    try {
      const text = Buffer.concat(await answer.toArray()).toString()
      if (answer.statusCode === 204) resolve()
      else reject(failure(answer.statusCode === 409 ? text : `flow: ${answer.statusCode} ${text}`))
    } catch (error) { reject(failure(`flow: ${error.message}`)) }
  })
  asked.on('timeout', () => asked.destroy(new Error('no answer')))
  asked.on('error', error => reject(failure(`flow: ${error.message || error.code}`)))
  asked.end(JSON.stringify({ test }))
})

// The places in this file help nobody.
const failure = text => Object.assign(new Error(text), { stack: text })
