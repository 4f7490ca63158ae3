/**
 * Computes the tables of docs/sizing.md: `node bench/sizing/main.ts` prints the document, with `--write` it is saved. With
 * the path of a JSON file, whose values replace those of assumptions.ts, it prints the document for another event.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultAssumptions, type Assumptions } from './assumptions.ts'
import { withComputedParts } from './document.ts'
import { resultOf } from './measured-costs.ts'

const path = join(import.meta.dirname, '../../docs/sizing.md')

type Json = Record<string, unknown>
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** `values`, with those of `changes` in their place. Throws at a name that does not exist. */
function changed(values: Json, changes: Json): Json {
  const result = { ...values }
  for (const [name, change] of Object.entries(changes)) {
    const before = values[name]
    if (before === undefined)
      throw new Error(`there is no assumption "${name}"; bench/sizing/assumptions.ts has them all`)
    if (typeof before !== typeof change) throw new Error(`the assumption "${name}" must be a ${typeof before}`)
    result[name] = isObject(before) && isObject(change) ? changed(before, change) : change
  }
  return result
}

const args = process.argv.slice(2)
const changesPath = args.find((arg) => !arg.startsWith('--'))
const changes: unknown = changesPath === undefined ? {} : JSON.parse(readFileSync(changesPath, 'utf8'))
if (!isObject(changes)) throw new Error('the file must contain a JSON object')
const assumptions = changed({ ...defaultAssumptions }, changes) as unknown as Assumptions // checked name by name
const document = withComputedParts(readFileSync(path, 'utf8'), { costs: resultOf('costs'), assumptions })
if (args.includes('--write') && changesPath !== undefined)
  throw new Error('docs/sizing.md is about the assumptions in assumptions.ts; change them there to write it')
if (args.includes('--write')) writeFileSync(path, document)
else process.stdout.write(document)
