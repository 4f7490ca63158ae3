import { ApiError } from './api-errors.ts'

/** The server's own explanation, or `fallback` (docs/behaviour.md section 8). */
export const errorMessage = (error: unknown, fallback: string): string =>
  (error instanceof ApiError && error.status !== 401 && error.explanation) || fallback
