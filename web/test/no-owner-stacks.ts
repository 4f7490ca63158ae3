/** Makes React's development build create no stack for each element, which takes a ninth of the CPU time of these tests. */
import * as React from 'react'

// React needs the stacks to name the component in its warnings, and creates at most 10,000 in a second: here the counter always
// exceeds this. It has no public setting for it, and no type. Without these internals the last line throws.
const { __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: internals } = React as unknown as {
  __CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE: object
}
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => Infinity, set: () => {} })
