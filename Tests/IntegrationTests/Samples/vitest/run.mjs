import { runFiles } from 'vitest'

await runFiles('tests/vitest/flow-tape.mjs', process.argv.slice(2))
