// A stand-in for Vitest: its hooks, in the order of its default `sequence.hooks`, and one file after the
// other. The real one comes from npm only.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

let suite, file
const newSuite = (name, parent) => (
  { name, suite: parent, file, tasks: [], beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] }
)

export const [beforeAll, afterAll, beforeEach, afterEach] = ['beforeAll', 'afterAll', 'beforeEach', 'afterEach']
  .map(kind => hook => { suite[kind].push(hook) })
export const test = (name, run) => { suite.tasks.push({ name, run, suite, file }) }
export const describe = (name, define) => {
  suite = newSuite(name, suite)
  suite.suite.tasks.push(suite)
  define()
  suite = suite.suite
}
export const expect = { getState: () => ({ testPath: file.filepath }) }

let failures = 0
const fails = (name, error) => {
  failures++
  console.log(`FAIL ${name}\n${error.stack}`)
}
const chain = suite => suite ? [...chain(suite.suite), suite] : []

async function runTest (task) {
  const suites = chain(task.suite)
  try {
    try {
      for (const each of suites) for (const hook of each.beforeEach) await hook({ task })
      await task.run()
    } finally {
      for (const each of suites.reverse()) for (const hook of each.afterEach.slice().reverse()) await hook({ task })
    }
    console.log(`PASS ${task.name}`)
  } catch (error) { fails(task.name, error) }
}

async function runSuite (suite) {
  try {
    for (const hook of suite.beforeAll) await hook(suite)
    for (const task of suite.tasks) await (task.run ? runTest(task) : runSuite(task))
    for (const hook of suite.afterAll.slice().reverse()) await hook(suite)
  } catch (error) { fails(suite.name, error) }
}

/** Runs files of tests one after the other, each after a file for the setup. */
export async function runFiles (setup, files) {
  for (const each of files) {
    file = { filepath: resolve(each) }
    suite = newSuite(each)
    file = Object.assign(suite, file, { file: suite })
    await import(`${pathToFileURL(resolve(setup))}?${each}`)
    await import(pathToFileURL(resolve(each)))
    await runSuite(suite)
  }
  process.exitCode = failures ? 1 : 0
}
