/** Generates client/api.ts from the contract, or with --check fails when it is out of date. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { publicCalls } from '@keepsnap/contract/public-api.ts'
import { publicSchemas } from '@keepsnap/contract/public-schemas.ts'
import { clientTypes } from './client-types.ts'
import { root } from './source-files.ts'

const target = join(root, 'client/api.ts')
const text = clientTypes({ types: publicSchemas, calls: publicCalls })
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  process.stderr.write('client/api.ts does not match the contract; run: npm run types\n')
  process.exitCode = 1
}
