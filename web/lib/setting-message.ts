import { ApiError } from './answers.ts'

/** What to say when a setting could not be saved: the server's own words first; spec section 8. */
export const settingMessage = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError && error.status !== 401 && error.sentence) || otherwise
