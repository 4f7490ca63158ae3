import type { Inputs } from './inputs.ts'
import { computedParts } from './tables.ts'

const placePattern = /<!-- computed: (?<name>[^>]+) -->\n[\s\S]*?\n<!-- end -->/g

/** The document with its computed parts regenerated. Throws when it has a place of an unknown name, or lacks one. */
export function withComputedParts(document: string, inputs: Inputs): string {
  const missing = new Set(Object.keys(computedParts))
  const written = document.replace(placePattern, (_, name: string) => {
    const compute = computedParts[name]
    if (!compute) throw new Error(`docs/sizing.md has a place for "${name}", which nothing computes`)
    missing.delete(name)
    return `<!-- computed: ${name} -->\n\n${compute(inputs)}\n\n<!-- end -->`
  })
  if (missing.size) throw new Error(`docs/sizing.md has no place for ${[...missing].join(', ')}`)
  return written
}
