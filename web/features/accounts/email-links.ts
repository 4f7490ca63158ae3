import { ApiError } from '../../lib/api-errors.ts'

/** Whether the call failed because the link is invalid or expired. */
export const isInvalidLink = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 400 && /token|link/i.test(error.sentence ?? '')
