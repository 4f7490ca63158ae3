import { paths } from '../../lib/paths.ts'

/** API access, in Settings. */
export const apiSection = `${paths.settings}#api`
