import { paths } from '../../lib/paths.ts'

/** The query parameter with the account in the drawer. */
const userParameter = 'user'

/** The page with one account in the drawer. */
export const operatorUserPath = (id: string): string => `${paths.admin}?${new URLSearchParams({ [userParameter]: id })}`

/** Id of the account in the drawer. */
export const userIdIn = (search: URLSearchParams): string | null => search.get(userParameter) || null
