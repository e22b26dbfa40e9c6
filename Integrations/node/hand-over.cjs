'use strict'
// Hands the requests of this process to the proxy of flow: `https` in clear, loopback servers as well.
// Node before 24 has no proxies, and later ones read the variables before a worker has its user.
const http = require('node:http')
const https = require('node:https')
const { syncBuiltinESMExports } = require('node:module')
const { urlToHttpOptions } = require('node:url')

exports.handOver = (outer, proxy, authorization) => {
  const withHeaders = (headers, host) => merged(headers, { host, 'proxy-authorization': authorization })
  handOverModules(proxy, withHeaders)
  handOverFetch(outer, proxy, withHeaders)
}

function handOverModules (proxy, withHeaders) {
  const { request } = http
  const agent = new http.Agent({ keepAlive: true })
  for (const [module, usual] of [[http, 'http:'], [https, 'https:']]) {
    const original = module.request
    module.request = (...given) => {
      const [first, second] = given
      const isURL = typeof first === 'string' || first?.searchParams
      const options = { ...(isURL ? urlToHttpOptions(new URL(first)) : first), ...(isURL && second) }
      const { protocol = usual, headers = {} } = options
      const host = options.hostname ?? options.host ?? 'localhost'
      const port = options.port || options.defaultPort || (protocol === 'https:' ? 443 : 80)
      const url = new URL(`${protocol}//${host.includes(':') ? `[${host}]` : host}:${port}`)
      const isOther = options.socketPath || options.createConnection || url.host === proxy.host
      if (isOther || isDirect(url)) return original(...given)
      Object.assign(options, {
        protocol: 'http:', hostname: proxy.hostname, port: proxy.port, defaultPort: 80, agent,
        path: url.origin + (options.path ?? '/'), headers: withHeaders(headers, url.host)
      })
      return request(options, given.find(each => typeof each === 'function'))
    }
    module.get = (...given) => module.request(...given).end()
  }
  syncBuiltinESMExports()
}

function handOverFetch (outer, proxy, withHeaders) {
  void outer.Response // loads fetch
  for (const symbol of Object.getOwnPropertySymbols(outer)) {
    if (!symbol.description.startsWith('undici.globalDispatcher.')) continue
    const known = outer[symbol]
    // With NODE_USE_ENV_PROXY it has agents of the proxy, for the user of the start, and a plain one.
    const plain = Object.getOwnPropertySymbols(known).map(each => known[each])
      .find(each => each?.constructor.name === 'Agent') ?? known
    const dispatch = (options, handler) => {
      const url = new URL(options.origin)
      if (options.upgrade) return known.dispatch(options, handler)
      if (isDirect(url)) return plain.dispatch(options, handler)
      const [path, headers] = [url.origin + options.path, withHeaders(options.headers ?? {}, url.host)]
      return plain.dispatch({ ...options, origin: proxy.origin, path, headers }, handler)
    }
    outer[symbol] = Object.create(known, { dispatch: { value: dispatch } })
  }
}

const isDirect = url => (process.env.NO_PROXY ?? '').split(',')
  .some(name => name && (name === url.host || `.${url.hostname}`.endsWith(`.${name}`)))

function merged (headers, more) {
  if (Array.isArray(headers)) {
    return headers.concat(Array.isArray(headers[0]) ? Object.entries(more) : Object.entries(more).flat())
  }
  const named = headers[Symbol.iterator] ? Object.fromEntries(headers) : headers
  if (Object.keys(named).some(name => name.toLowerCase() === 'host')) delete more.host
  return { ...named, ...more }
}
