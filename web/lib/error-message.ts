import { ApiError } from './api-errors.ts'

/** The server's explanation of a failed call, or `fallback`. */
export const errorMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status !== 401 && error.explanation) || fallback

/** The server's explanation of a refused call (a status below 500), or `fallback`. */
export const refusalMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status < 500 && error.explanation) || fallback
