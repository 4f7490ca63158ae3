import * as React from 'react'

/** Gives tests a few time zones: happy-dom looks at all options of a select whenever one is added, which takes long for 400. */

/** The values of Node, with all of its time zones. */
export const { supportedValuesOf } = Intl

const timeZones = [
  'Africa/Abidjan',
  'Africa/Accra',
  'Africa/Algiers',
  'Africa/Asmera',
  'America/New_York',
  'Europe/Brussels',
  'Europe/Paris',
]

Intl.supportedValuesOf = (key) => (key === 'timeZone' ? timeZones : supportedValuesOf(key))

/** Makes React's development build create no stack for each element, which takes a ninth of the CPU time of these tests. */

// React needs the stacks to name the component in its warnings, and creates at most 10,000 in a second: here the counter always
// exceeds this. It has no public setting for it, and no type. Without these internals the last line throws.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object
}
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })

// happy-dom reports each failed request directly on stderr, where Vitest cannot filter it. Tests make requests fail on
// purpose. A module of its own, because setup.ts runs again for each test file.
const expected = /^(?:GET|POST|PUT|DELETE) http\S+ \d{3} |ECONNRESET|ECONNREFUSED|socket hang up/
const write = process.stderr.write.bind(process.stderr)
process.stderr.write = (chunk: string | Uint8Array, ...rest: never[]) =>
  expected.test(String(chunk)) || write(chunk, ...rest)
