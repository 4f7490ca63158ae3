import { deviceKeys as before } from '../2026-11-23/inventory.ts'

export { recordIds, recordsOfTables } from '../2026-11-23/inventory.ts'

/** What pages store in a browser, as `deviceKeys` of the version before. */
export const deviceKeys = { ...before, device: 'cookie', 'unsent-uploads-*': 'browser' } as const
